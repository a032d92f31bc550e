package io.bellwether.trainer.gate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.trainer.data.TransitionPart;
import io.bellwether.trainer.survey.Survey;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that an evaluation follows from. Immutable.
 *
 * @param champion absent where the logging policy is the baseline
 * @param asksLoggers whether weights are balanced between the policies that made the log
 * @param parts of the source, as they were when the evaluation began
 */
record EvaluationInputs(
    EvaluationRequest request,
    TargetPolicy target,
    @Nullable TargetPolicy champion,
    boolean asksLoggers,
    List<TransitionPart> parts,
    String codeVersion) {

  /** Raised whenever files of earlier runs cannot be used any more. */
  private static final int FORMAT = 2;

  private static final int FOLDER_DIGITS = 16;

  EvaluationInputs {
    parts = List.copyOf(parts);
  }

  String baselineName() {
    return champion == null ? "logging policy" : champion.name();
  }

  /**
   * Names all that a scored log follows from, which is less than a report does: who asks for
   * another error probability finds the decisions scored already.
   */
  String folderFingerprint() {
    List<String> words = scored();
    parts.forEach(part -> words.add(part.words()));
    return sha256(words).substring(0, FOLDER_DIGITS);
  }

  /** Names all that a report follows from; the data by its contents and not by where it stands. */
  String fingerprint(Survey survey) {
    List<String> words = scored();
    words.add(survey.digest());
    words.add(
        "alpha %s, lift %s, looks %s, weights up to %s, estimators %s, replicates %d, approver %s"
            .formatted(
                request.alpha(),
                request.minLift(),
                request.looks(),
                request.largestWeight(),
                request.estimators(),
                request.replicates(),
                request.approver()));
    return sha256(words);
  }

  private List<String> scored() {
    List<String> words = new ArrayList<>();
    words.add("format " + FORMAT + ", code " + codeVersion);
    words.add("target " + target.name() + " " + target.digest());
    words.add("baseline " + (champion == null ? "" : champion.name() + " " + champion.digest()));
    words.add("surface " + request.surface().digest());
    words.add(request.selection().words());
    words.add("steps " + request.modelSteps() + ", seed " + request.seed());
    words.add("asks loggers " + asksLoggers);
    words.add("segments " + request.segments() + ", clusters " + request.clusterFeature());
    return words;
  }

  private static String sha256(List<String> words) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String each : words) {
        digest.update((each.length() + ":" + each).getBytes(UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
