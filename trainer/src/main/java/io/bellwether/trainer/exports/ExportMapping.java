package io.bellwether.trainer.exports;

import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import java.util.List;

/** The mapping file by which exported JSON lines can be imported again. */
final class ExportMapping {

  private ExportMapping() {}

  static String yaml(Surface surface, boolean propensities) {
    StringBuilder yaml = new StringBuilder();
    yaml.append("# Reads what `bellwether export jsonl --surface ")
        .append(surface.name())
        .append("` wrote.\n");
    yaml.append("decision: decision_id\n");
    yaml.append("subject: subject_id\n");
    yaml.append("time: { column: decided_at }\n");
    yaml.append("policy: policy_version\n");
    yaml.append("weight: sample_weight\n");
    yaml.append("learnable: learnable\n");
    features(yaml, "context:\n", "  ", "context.", surface.context());
    yaml.append("items:\n  id: id\n");
    features(yaml, "  features:\n", "    ", "features.", surface.item());
    yaml.append("shown: { column: shown }\n");
    yaml.append("candidates: { column: candidates }\n");
    if (propensities) {
      yaml.append("propensity: { column: propensity, kinds: propensity_kind }\n");
    }
    yaml.append("signals:\n");
    for (Signal signal : surface.signals()) {
      // What is concluded from silence is concluded again.
      if (signal.silenceOf().isEmpty()) {
        row(yaml, "  ", "signal", signal.name(), "signals." + signal.name());
        row(yaml, "  ", "signal", signal.name(), "slate_signals." + signal.name());
      }
    }
    return yaml.toString();
  }

  private static void features(
      StringBuilder yaml, String heading, String indent, String path, List<Feature> features) {
    if (!features.isEmpty()) {
      yaml.append(heading);
      for (Feature feature : features) {
        row(yaml, indent, "feature", feature.name(), path + feature.name());
      }
    }
  }

  private static void row(
      StringBuilder yaml, String indent, String kind, String name, String column) {
    yaml.append(indent)
        .append("- { ")
        .append(kind)
        .append(": \"")
        .append(name)
        .append("\", column: \"")
        .append(column)
        .append("\" }\n");
  }
}
