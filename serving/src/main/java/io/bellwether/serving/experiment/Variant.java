package io.bellwether.serving.experiment;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * An arm of an experiment with its name. In JSON the arm is {@code policy} or {@code payload}.
 *
 * @param name distinct within the experiment
 * @param weight share in basis points where shares are fixed; where there is a plan, only the ratio
 *     among treatments counts; for a {@link Kind#SHADOW} the share of the traffic that is scored
 * @param arm what it shows
 */
@JsonPropertyOrder({"name", "weight", "policy", "payload"})
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Variant(String name, int weight, @JsonIgnore Arm arm) {

  /** The name under which an interleaved slate is counted. */
  public static final String INTERLEAVED = "interleaved";

  @JsonCreator
  static Variant of(
      @JsonProperty("name") String name,
      @JsonProperty("weight") int weight,
      @JsonProperty("policy") @Nullable String policy,
      @JsonProperty("payload") @Nullable JsonNode payload) {
    if (policy != null) {
      return new Variant(name, weight, Arm.ofPolicy(policy));
    }
    if (payload == null) {
      throw new IllegalArgumentException("variant " + name + " has neither policy nor payload");
    }
    return new Variant(name, weight, new Arm.Payload(payload));
  }

  /** The word for its policy; absent where it carries a payload. */
  @JsonProperty
  public @Nullable String policy() {
    if (arm instanceof Arm.Policy policy) {
      return policy.reference();
    }
    if (arm instanceof Arm.AsGiven) {
      return Arm.AS_GIVEN;
    }
    return arm instanceof Arm.Uniform ? Arm.UNIFORM : null;
  }

  /** Its value; absent where it decides about slates. */
  @JsonProperty
  public @Nullable JsonNode payload() {
    return arm instanceof Arm.Payload payload ? payload.value() : null;
  }

  Variant withWeight(int share) {
    return new Variant(name, share, arm);
  }
}
