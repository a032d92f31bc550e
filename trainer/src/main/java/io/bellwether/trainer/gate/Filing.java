package io.bellwether.trainer.gate;

import io.bellwether.policy.version.VersionId;
import java.io.IOException;

/** Where an evaluation that judges a version is kept with it. */
@FunctionalInterface
public interface Filing {

  /** Keeps the report, and makes its verdict the version's latest. */
  void keepVerdict(VersionId version, EvaluationRecord record) throws IOException;
}
