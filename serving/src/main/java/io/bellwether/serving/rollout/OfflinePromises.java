package io.bellwether.serving.rollout;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.evaluation.experiment.Prediction;
import io.bellwether.policy.version.Evidence;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.experiment.Arm;
import io.bellwether.serving.experiment.Experiment;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.MetricDeclaration;
import io.bellwether.serving.experiment.Phase;
import io.bellwether.serving.experiment.Variant;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * What the offline evaluation of a treatment's version promised against the version that is the
 * control: differences per decision, as its report states them under the deciding estimator. An
 * experiment shows them next to what it measured. Thread-safe.
 */
@Singleton
final class OfflinePromises {

  private static final Logger LOG = Logger.getLogger(OfflinePromises.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CHAMPION = "champion";

  private final PolicyStore store;

  /** By version; as many as were ever compared here. What is pinned was evaluated before. */
  private final Map<VersionId, Optional<JsonNode>> reports = new ConcurrentHashMap<>();

  /** Experiments of which that was told. */
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

  OfflinePromises(PolicyStore store) {
    this.store = store;
  }

  /**
   * The promises of an experiment's treatments; a version without a report promised nothing. They
   * are for reading only, so that a report that cannot be read stands in no verdict's way.
   */
  List<Prediction> of(ExperimentState state) {
    try {
      return promises(state);
    } catch (RuntimeException e) {
      if (unreadable.add(state.name())) {
        LOG.warnf(e, "what was promised of %s cannot be read and is not shown", state.name());
      }
      return List.of();
    }
  }

  private List<Prediction> promises(ExperimentState state) {
    Experiment experiment = state.declaration();
    Optional<Phase> phase = state.phase();
    if (phase.isEmpty() || !(experiment.control().arm() instanceof Arm.Policy)) {
      return List.of();
    }
    String control = phase.get().version(experiment.control().name());
    List<Prediction> promises = new ArrayList<>();
    for (Variant treatment : experiment.treatments()) {
      String version = phase.get().version(treatment.name());
      if (treatment.arm() instanceof Arm.Policy && !version.equals(Arm.UNIFORM)) {
        reports
            .computeIfAbsent(new VersionId(version), this::report)
            .filter(report -> report.at("/meta/baseline").asText().equals(control))
            .ifPresent(report -> add(promises, experiment, treatment, report));
      }
    }
    return promises;
  }

  private static void add(
      List<Prediction> promises, Experiment experiment, Variant treatment, JsonNode report) {
    Stream.of(experiment.primary(), experiment.secondary(), experiment.guardrails())
        .flatMap(List::stream)
        .filter(OfflinePromises::isPerDecision)
        .forEach(
            metric ->
                comparison(report, metric.signal())
                    .ifPresent(
                        found ->
                            promises.add(
                                new Prediction(
                                    metric.name(),
                                    treatment.name(),
                                    found.at("/difference/value").doubleValue(),
                                    found.at("/interval/lower").doubleValue(),
                                    found.at("/interval/upper").doubleValue()))));
  }

  /** What an offline report states, too. */
  private static boolean isPerDecision(MetricDeclaration metric) {
    return metric.kind() == MetricDeclaration.Kind.PER_DECISION && metric.winsorize().isEmpty();
  }

  private static Optional<JsonNode> comparison(JsonNode report, String signal) {
    String estimator = report.at("/meta/primary").asText();
    for (JsonNode each : report.path("comparisons")) {
      if (each.path("signal").asText().equals(signal)
          && each.path("estimator").asText().equals(estimator)
          && each.path("against").asText().equals(CHAMPION)
          && each.at("/difference/value").isNumber()
          && each.at("/interval/lower").isNumber()
          && each.at("/interval/upper").isNumber()) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** The latest one that is JSON; beside it a version keeps the same as a page. */
  private Optional<JsonNode> report(VersionId version) {
    try {
      List<Evidence> evidence = store.evidence(version);
      for (int index = evidence.size() - 1; index >= 0; index--) {
        if (evidence.get(index).kind() == EvidenceKind.REPORT) {
          byte[] content = store.content(evidence.get(index));
          if (content.length > 0 && content[0] == '{') {
            return Optional.of(JSON.readTree(content));
          }
        }
      }
    } catch (JsonProcessingException e) {
      LOG.warnf("the report of %s is no JSON, and nothing is told of its promises", version);
    } catch (IOException e) {
      throw new UncheckedIOException("bytes in memory do no I/O", e);
    }
    return Optional.empty();
  }
}
