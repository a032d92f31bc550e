package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.interval.SampleSize;
import java.util.Locale;
import picocli.CommandLine.Option;

/** How long a log has to be, asked before there is one. */
final class PowerOptions {
  private static final double POWER = 0.8;

  @Option(
      names = "--power",
      description = "Only say how many decisions a log needs, given --sd and --delta.")
  private boolean asked;

  @Option(
      names = "--sd",
      paramLabel = "S",
      defaultValue = "0",
      description = "Standard deviation of what one decision contributes; a report's spread.")
  private double spread;

  @Option(
      names = "--delta",
      paramLabel = "D",
      defaultValue = "0",
      description = "The difference per decision that one hopes to see.")
  private double effect;

  boolean asked() {
    return asked;
  }

  int answer(double alpha, Terminal terminal, JsonOption json) {
    if (!(spread > 0) || !(effect > 0)) {
      throw CommandFailed.wrongInput(
          "--power needs --sd and --delta above 0.",
          "A pilot's report says the spread under sampleSize.");
    }
    double decisions = Math.ceil(SampleSize.oneSided(alpha, POWER).decisions(spread, effect));
    terminal.print(
        String.format(
            Locale.ROOT,
            "About %.0f decisions show a difference of %s four times in five, at alpha %s.",
            decisions,
            effect,
            alpha));
    ObjectNode tree = new ObjectMapper().createObjectNode();
    tree.put("decisions", (long) decisions).put("sd", spread).put("delta", effect);
    json.write(tree.put("alpha", alpha).put("power", POWER));
    return ExitCode.DONE;
  }
}
