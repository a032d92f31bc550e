package io.bellwether.openfeature;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.openfeature.contrib.providers.ofrep.OfrepProvider;
import dev.openfeature.contrib.providers.ofrep.OfrepProviderOptions;
import dev.openfeature.sdk.EvaluationContext;
import dev.openfeature.sdk.FeatureProvider;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.Hook;
import dev.openfeature.sdk.HookContext;
import dev.openfeature.sdk.Metadata;
import dev.openfeature.sdk.ProviderEvaluation;
import dev.openfeature.sdk.TrackingEventDetails;
import dev.openfeature.sdk.Value;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * The OFREP provider for Java, with tracking. Whoever evaluates a flag is about to use it, and
 * Bellwether counts the subject as exposed; {@code client.track("purchase", context, details)}
 * reports an outcome of it. Needs {@code dev.openfeature:sdk} and {@code
 * dev.openfeature.contrib.providers:ofrep}. Thread-safe.
 */
public final class BellwetherProvider implements FeatureProvider {

  private final OfrepProvider flags;
  private final Decisions decisions;

  /**
   * @param service such as {@code http://localhost:8080}
   * @param apiKey one of the service's keys
   */
  public BellwetherProvider(URI service, String apiKey) {
    flags =
        OfrepProvider.constructProvider(
            OfrepProviderOptions.builder()
                .baseUrl(service.toString())
                .headers(ImmutableMap.of("X-API-Key", ImmutableList.of(apiKey)))
                .build());
    decisions = new Decisions(service, apiKey);
  }

  @Override
  public Metadata getMetadata() {
    return () -> "bellwether";
  }

  @Override
  @SuppressWarnings("rawtypes") // as the interface has it
  public List<Hook> getProviderHooks() {
    return List.of(new RememberDecisions());
  }

  @Override
  public ProviderEvaluation<Boolean> getBooleanEvaluation(
      String key, Boolean otherwise, EvaluationContext context) {
    return flags.getBooleanEvaluation(key, otherwise, context);
  }

  @Override
  public ProviderEvaluation<String> getStringEvaluation(
      String key, String otherwise, EvaluationContext context) {
    return flags.getStringEvaluation(key, otherwise, context);
  }

  @Override
  public ProviderEvaluation<Integer> getIntegerEvaluation(
      String key, Integer otherwise, EvaluationContext context) {
    return flags.getIntegerEvaluation(key, otherwise, context);
  }

  @Override
  public ProviderEvaluation<Double> getDoubleEvaluation(
      String key, Double otherwise, EvaluationContext context) {
    return flags.getDoubleEvaluation(key, otherwise, context);
  }

  @Override
  public ProviderEvaluation<Value> getObjectEvaluation(
      String key, Value otherwise, EvaluationContext context) {
    return flags.getObjectEvaluation(key, otherwise, context);
  }

  /**
   * Reports an outcome, in the background, of the flags that the subject was given: of one where
   * the details name it as {@code flag}, else of each. Without a value it is 1; other details are
   * properties.
   */
  @Override
  public void track(String signal, EvaluationContext context, TrackingEventDetails details) {
    Map<String, Object> properties = details == null ? Map.of() : details.asObjectMap();
    Number value = details == null ? 1 : details.getValue().orElse(1);
    decisions.track(signal, context.getTargetingKey(), value, properties);
  }

  /** Waits until everything so far was reported, or failed. */
  public void flush() {
    decisions.flush();
  }

  @Override
  public void shutdown() {
    decisions.flush();
    flags.shutdown();
  }

  private final class RememberDecisions implements Hook<Object> {
    @Override
    public void after(
        HookContext<Object> evaluation,
        FlagEvaluationDetails<Object> details,
        Map<String, Object> hints) {
      String decisionId = details.getFlagMetadata().getString("decisionId");
      if (decisionId != null) {
        decisions.remember(
            evaluation.getCtx().getTargetingKey(), evaluation.getFlagKey(), decisionId);
      }
    }
  }
}
