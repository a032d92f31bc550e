package io.bellwether.trainer.gate;

import io.bellwether.trainer.survey.Survey;

/**
 * A policy that cannot be evaluated on a log, for a reason that its message begins with in one
 * word.
 */
public final class TargetRefused extends IllegalArgumentException {

  /** The policy needs a feature that the log does not have. */
  static final String FEATURE_MISSING = Survey.FEATURE_MISSING;

  /** The policy does not know an item of the log. */
  static final String ITEM_MISSING = "TARGET_ITEM_MISSING";

  /** The policy is for decisions of another kind. */
  static final String DOES_NOT_FIT = "TARGET_DOES_NOT_FIT";

  private static final long serialVersionUID = 1;

  TargetRefused(String code, String words) {
    super(code + ": " + words);
  }
}
