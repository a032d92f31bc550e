package io.bellwether.serving.rollout;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.experiment.BayesReading;
import io.bellwether.evaluation.experiment.Caveat;
import io.bellwether.evaluation.experiment.ExperimentReading;
import io.bellwether.evaluation.experiment.Figure;
import io.bellwether.evaluation.experiment.GroupReading;
import io.bellwether.evaluation.experiment.GuardrailReading;
import io.bellwether.evaluation.experiment.LedgerRow;
import io.bellwether.evaluation.experiment.LimitReading;
import io.bellwether.evaluation.experiment.MetricReading;
import io.bellwether.evaluation.experiment.PhaseReading;
import io.bellwether.evaluation.experiment.PreferenceReading;
import io.bellwether.evaluation.experiment.ShadowReading;
import io.bellwether.evaluation.experiment.SwitchbackReading;
import io.bellwether.evaluation.experiment.VariantReading;
import io.bellwether.evaluation.report.Bounds;
import io.bellwether.serving.experiment.Analysis;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A reading as JSON. A number that there is not is absent, and the object's {@code reasons} say
 * why, by field; an interval is an array of its two ends.
 */
final class ReadingJson {

  private final ReadOut method;

  /**
   * @param method whose numbers stand as {@code ci} and {@code p} of each metric
   */
  ReadingJson(ReadOut method) {
    this.method = method;
  }

  /** Adds everything that the reading says. */
  void write(ExperimentReading reading, ObjectNode into) {
    into.put("method", method.name());
    List<PhaseReading> phases = reading.phases();
    List<VariantReading> variants =
        phases.isEmpty() ? List.of() : phases.get(phases.size() - 1).variants();
    ObjectNode units = into.putObject("units");
    variants.forEach(v -> units.put(v.variant(), v.units()));
    ObjectNode exposures = into.putObject("exposures");
    variants.forEach(v -> exposures.put(v.variant(), v.exposures()));
    rows(into, "counts", variants, ReadingJson::variant);
    Row ratio = new Row(into.putObject("sampleRatio"));
    ratio.put("p", reading.sampleRatio().smallestP());
    ratio.put("chiSquareP", reading.sampleRatio().chiSquareP());
    ratio.put("logBayesFactor", reading.sampleRatio().logBayesFactor());
    ratio.node.put("alarm", reading.sampleRatio().alarm());
    into.put("crossoverShare", reading.crossoverShare());
    rows(into, "metrics", reading.allPhases(), this::metric);
    rows(
        into,
        "guardrails",
        reading.guardrails().stream().filter(g -> g.phase() == reading.phase()).toList(),
        ReadingJson::guardrail);
    rows(into.putObject("health"), "limits", reading.limits(), ReadingJson::limit);
    rows(into, "phases", phases, this::phase);
    optional(into, "preferences", reading.preferences(), ReadingJson::preference);
    optional(into, "blocks", reading.blocks(), ReadingJson::blocks);
    optional(into, "shadows", reading.shadows(), ReadingJson::shadow);
    optional(into, "ledger", reading.ledger(), ReadingJson::ledger);
    rows(into, "warnings", reading.caveats(), ReadingJson::caveat);
    ArrayNode summary = into.putArray("summary");
    reading.summary().forEach(summary::add);
  }

  private void phase(PhaseReading phase, Row row) {
    row.node.put("number", phase.number());
    ObjectNode shares = row.node.putObject("shares");
    phase.shares().forEach(shares::put);
    ObjectNode versions = row.node.putObject("versions");
    phase.versions().forEach(versions::put);
    row.put("hours", phase.hours());
    row.put("alpha", phase.alpha());
    rows(row.node, "variants", phase.variants(), ReadingJson::variant);
    rows(row.node, "metrics", phase.metrics(), this::metric);
  }

  private static void variant(VariantReading variant, Row row) {
    row.node.put("variant", variant.variant());
    row.put("share", variant.share());
    row.node.put("units", variant.units());
    row.node.put("exposures", variant.exposures());
    row.node.put("crossovers", variant.crossovers());
    row.node.put("forced", variant.forced());
    row.put("degradedShare", variant.degradedShare());
    row.put("decisionP50Micros", variant.decisionP50Micros());
    row.put("decisionP99Micros", variant.decisionP99Micros());
  }

  private void metric(MetricReading metric, Row row) {
    row.node.put("name", metric.metric());
    row.node.put("variant", metric.variant());
    row.node.put("role", metric.role().name());
    row.node.put("direction", metric.direction().name());
    row.node.put("status", metric.status().name());
    row.reason(metric.reason());
    row.put("control", metric.control());
    row.put("treatment", metric.treatment());
    row.put("effect", metric.difference());
    row.put("se", metric.standardError());
    method.write(metric, row);
    row.put("pAdjusted", metric.adjustedP());
    row.put("alpha", metric.alpha());
    row.put("lift", metric.lift());
    row.put("liftCi", metric.liftInterval());
    row.node.put("controlUnits", metric.controlUnits());
    row.node.put("treatmentUnits", metric.treatmentUnits());
    Row sequential = row.object("sequential");
    sequential.put("ci", metric.sequence());
    sequential.put("p", metric.sequenceP());
    Row mixture = row.object("msprt");
    mixture.put("ci", metric.mixture().interval());
    mixture.put("p", metric.mixture().p());
    mixture.put("logLikelihoodRatio", metric.mixture().logLikelihoodRatio());
    Row fixed = row.object("fixed");
    fixed.put("ci", metric.fixed().interval());
    fixed.put("p", metric.fixed().p());
    fixed.put("exactP", metric.fixed().exactP());
    group(metric.group(), row.object("groupSequential"));
    bayes(metric.bayes(), row.object("bayes"));
  }

  private static void group(GroupReading group, Row row) {
    ArrayNode information = row.node.putArray("information");
    group.information().forEach(information::add);
    if (!group.information().isEmpty()) {
      row.put("bound", group.bound());
      row.put("z", group.z());
      row.node.put("crossed", group.crossed());
    }
    row.put("ci", group.repeated());
  }

  private static void bayes(BayesReading bayes, Row row) {
    row.put("chanceToWin", bayes.chanceToWin());
    row.put("lossOfTreatment", bayes.lossOfTreatment());
    row.put("lossOfControl", bayes.lossOfControl());
    row.put("liftCi", bayes.interval());
    row.node.put("label", bayes.label());
  }

  private static void guardrail(GuardrailReading guardrail, Row row) {
    row.node.put("name", guardrail.metric());
    row.node.put("variant", guardrail.variant());
    row.node.put("role", guardrail.role().name());
    row.node.put("harmLimit", guardrail.harmLimit());
    row.node.put("toleratedLimit", guardrail.toleratedLimit());
    row.put("alpha", guardrail.alpha());
    row.put("effect", guardrail.difference());
    row.put("harmDistance", guardrail.harmDistance());
    row.put("harmBound", guardrail.harmBound());
    row.put("toleratedDistance", guardrail.toleratedDistance());
    row.put("establishedBound", guardrail.establishedBound());
    row.node.put("harmful", guardrail.harmful());
    row.node.put("refuted", guardrail.refuted());
    row.node.put("established", guardrail.established());
    row.reason(guardrail.reason());
  }

  private static void limit(LimitReading limit, Row row) {
    row.node.put("variant", limit.variant());
    row.node.put("name", limit.name().name());
    row.put("observed", limit.observed());
    row.put("control", limit.control());
    row.put("limit", limit.limit());
    row.node.put("exposures", limit.exposures());
    row.node.put("crossed", limit.crossed());
    row.node.put("enough", limit.enough());
  }

  private static void preference(PreferenceReading preference, Row row) {
    row.node.put("name", preference.signal());
    row.node.put("variant", preference.variant());
    row.node.put("direction", preference.direction().name());
    row.node.put("status", preference.status().name());
    row.reason(preference.reason());
    row.node.put("wins", preference.wins());
    row.node.put("losses", preference.losses());
    row.node.put("ties", preference.ties());
    row.put("preference", preference.preference());
    row.put("p", preference.signP());
    row.put("creditPerUnit", preference.creditPerUnit());
    Row sequential = row.object("sequential");
    sequential.put("ci", preference.sequence());
    sequential.put("p", preference.sequenceP());
  }

  private static void blocks(SwitchbackReading blocks, Row row) {
    row.node.put("name", blocks.metric());
    row.node.put("variant", blocks.variant());
    row.node.put("role", blocks.role().name());
    row.node.put("controlBlocks", blocks.controlBlocks());
    row.node.put("treatmentBlocks", blocks.treatmentBlocks());
    row.put("effect", blocks.difference());
    row.put("ci", blocks.randomisation());
    row.put("p", blocks.randomisationP());
    row.node.put("designs", blocks.designs());
    Row welch = row.object("welch");
    welch.put("ci", blocks.welch());
    welch.put("p", blocks.welchP());
    row.put("autocorrelation", blocks.autocorrelation());
  }

  private static void shadow(ShadowReading shadow, Row row) {
    row.node.put("variant", shadow.variant());
    row.node.put("scored", shadow.scored());
    row.put("errorShare", shadow.errorShare());
    row.put("agreement", shadow.agreement());
    row.put("distance", shadow.distance());
    row.put("scoringP50Micros", shadow.scoringP50Micros());
    row.put("scoringP99Micros", shadow.scoringP99Micros());
    row.node.put("passes", shadow.passes());
  }

  private static void ledger(LedgerRow ledger, Row row) {
    row.node.put("name", ledger.prediction().metric());
    row.node.put("variant", ledger.prediction().variant());
    row.put("predicted", ledger.prediction().difference());
    ArrayNode interval = row.node.putArray("predictedCi");
    interval.add(ledger.prediction().lower()).add(ledger.prediction().upper());
    row.put("effect", ledger.online());
    row.put("ci", ledger.onlineInterval());
    row.put("error", ledger.error());
    row.node.put("inside", ledger.inside());
  }

  private static void caveat(Caveat caveat, Row row) {
    row.node.put("code", caveat.code().name());
    row.node.put("detail", caveat.words());
  }

  private static <T> void optional(
      ObjectNode into, String field, Collection<T> values, BiConsumer<T, Row> writer) {
    if (!values.isEmpty()) {
      rows(into, field, values, writer);
    }
  }

  private static <T> void rows(
      ObjectNode into, String field, Collection<T> values, BiConsumer<T, Row> writer) {
    ArrayNode array = into.putArray(field);
    values.forEach(value -> writer.accept(value, new Row(array.addObject())));
  }

  /** Which read-out stands as a metric's {@code ci} and {@code p}. */
  enum ReadOut {
    SEQUENTIAL {
      @Override
      void write(MetricReading metric, Row row) {
        row.put("ci", metric.sequence());
        row.put("p", metric.sequenceP());
      }
    },
    MSPRT {
      @Override
      void write(MetricReading metric, Row row) {
        row.put("ci", metric.mixture().interval());
        row.put("p", metric.mixture().p());
      }
    },
    FIXED {
      @Override
      void write(MetricReading metric, Row row) {
        row.put("ci", metric.fixed().interval());
        row.put("p", metric.fixed().p());
      }
    },
    GROUP_SEQUENTIAL {
      @Override
      void write(MetricReading metric, Row row) {
        row.put("ci", metric.group().repeated());
      }
    },
    BAYES {
      @Override
      void write(MetricReading metric, Row row) {
        row.put("ci", metric.bayes().interval());
        row.put("chanceToWin", metric.bayes().chanceToWin());
      }
    };

    abstract void write(MetricReading metric, Row row);

    /** The read-out of the method by which an experiment is decided. */
    static ReadOut of(Analysis.Method declared) {
      return switch (declared) {
        case SEQUENTIAL -> SEQUENTIAL;
        case MIXTURE_SPRT -> MSPRT;
        case FIXED -> FIXED;
        case GROUP_SEQUENTIAL -> GROUP_SEQUENTIAL;
        case BAYES -> BAYES;
      };
    }
  }

  /** An object, and why some of its fields are not there. */
  static final class Row {
    private final ObjectNode node;

    Row(ObjectNode node) {
      this.node = node;
    }

    void put(String field, double value) {
      if (Double.isFinite(value)) {
        node.put(field, value);
      } else {
        absent(field, "NOT_FINITE");
      }
    }

    void put(String field, Figure figure) {
      if (figure instanceof Figure.Known known) {
        node.put(field, known.value());
      } else if (figure instanceof Figure.Unknown unknown) {
        absent(field, unknown.reason());
      }
    }

    void put(String field, Bounds bounds) {
      if (bounds instanceof Bounds.Within within) {
        node.putArray(field).add(within.interval().lower()).add(within.interval().upper());
      } else if (bounds instanceof Bounds.Absent absent) {
        absent(field, absent.reason());
      }
    }

    void text(String field, String value) {
      node.put(field, value);
    }

    void reason(String reason) {
      if (!reason.isEmpty()) {
        node.put("reason", reason);
      }
    }

    Row object(String field) {
      return new Row(node.putObject(field));
    }

    private void absent(String field, String reason) {
      ObjectNode reasons =
          node.get("reasons") instanceof ObjectNode there ? there : node.putObject("reasons");
      reasons.set(field, JsonNodeFactory.instance.textNode(reason));
    }
  }
}
