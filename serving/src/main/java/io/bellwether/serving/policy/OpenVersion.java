package io.bellwether.serving.policy;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the version that answers, for people and their tools. Immutable.
 *
 * @param vouchedBy whose signature it has; {@code nobody} where none is asked for
 * @param form {@code full}, {@code int8} or {@code pruned}
 * @param formNote why it is not the form that the surface asks for; absent where it is
 * @param device that graphs are meant to run on
 * @param ranOn where its nodes ran, as was measured
 * @param alarm why it does not run where it should; absent where it does
 * @param warmedWith how many different requests it was tried with before it served
 * @param warmUpP99Millis 99th percentile of the time to score one of them; on the processor, of the
 *     thread's own
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OpenVersion(
    String vouchedBy,
    String form,
    @Nullable String formNote,
    String device,
    String ranOn,
    @Nullable String alarm,
    int warmedWith,
    double warmUpP99Millis) {

  static OpenVersion of(VersionOpener.Facts facts) {
    return new OpenVersion(
        facts.vouchedBy(),
        facts.form(),
        facts.formNote().isEmpty() ? null : facts.formNote(),
        facts.device().name(),
        facts.placement().toString(),
        facts.deviceNote().isEmpty() ? null : facts.deviceNote(),
        facts.tried().requests(),
        facts.tried().p99().toNanos() / 1e6);
  }
}
