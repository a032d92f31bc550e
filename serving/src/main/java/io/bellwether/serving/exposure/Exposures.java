package io.bellwether.serving.exposure;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Degraded;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Shadow;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** What an exposure says, read from the decision that it belongs to. */
public final class Exposures {

  /** A shadow is not assigned. */
  private static final int NO_BUCKET = -1;

  private Exposures() {}

  /**
   * The exposure to the variant that a decision showed, or to the group in which a holdout's
   * decisions are compared. It counts as degraded where another than the variant's own policy
   * answered; the version is that of whoever did.
   *
   * @param decisionMicros what the variant's slate took, without waits for others; 0 where unknown
   * @param teams for an interleaved slate, which variant each position counts for; otherwise empty
   */
  public static Exposure shown(
      Decision decision, Assigned.ToVariant assigned, long decisionMicros, List<Integer> teams) {
    Exposure exposure =
        of(decision, assigned.state(), assigned.phase().number(), assigned.variant().name());
    Degraded degraded = decision.getDegraded();
    exposure.setKind(ExposureKind.SHOWN);
    exposure.setUnit(assigned.unit());
    exposure.setSlice(assigned.slice());
    exposure.setBucket(assigned.bucket());
    exposure.setForced(assigned.forced());
    exposure.setPolicyVersion(decision.getPolicyVersion());
    exposure.setDegraded(
        degraded == null || degraded.getFallback() == null ? null : degraded.getReason());
    exposure.setDecisionMicros(decisionMicros);
    exposure.setTeams(teams);
    return exposure;
  }

  /** A version's scoring of a decision that it did not make. */
  static Exposure scored(Decision decision, Shadow shadow, ShadowScore score) {
    Exposure exposure =
        of(decision, shadow.state(), shadow.phase().number(), shadow.variant().name());
    exposure.setKind(ExposureKind.SHADOW);
    exposure.setUnit(decision.getSubjectId());
    exposure.setSlice("");
    exposure.setBucket(NO_BUCKET);
    exposure.setForced(false);
    exposure.setPolicyVersion(shadow.version());
    exposure.setDegraded(score.degraded());
    exposure.setDecisionMicros(score.micros());
    exposure.setTeams(List.of());
    exposure.setAgreement(score.agreement());
    exposure.setDistance(score.distance());
    return exposure;
  }

  private static Exposure of(Decision decision, ExperimentState state, int phase, String variant) {
    Exposure exposure = new Exposure();
    exposure.setExposureId(decision.getDecisionId() + "/" + state.name() + "/" + variant);
    exposure.setExperiment(state.name());
    exposure.setPhase(phase);
    exposure.setVariant(variant);
    exposure.setSurface(decision.getSurface());
    exposure.setSubjectId(decision.getSubjectId());
    exposure.setDecisionId(decision.getDecisionId());
    exposure.setDecidedAtMicros(decision.getDecidedAtMicros());
    exposure.setExposedAtMicros(decision.getDecidedAtMicros());
    exposure.setPreperiodMicros(
        state.declaration().analysis().preperiod().dividedBy(ChronoUnit.MICROS.getDuration()));
    return exposure;
  }
}
