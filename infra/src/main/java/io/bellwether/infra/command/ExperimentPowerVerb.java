package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says how long an experiment takes to find an effect. */
@Command(
    name = "power",
    description = {
      "Say how many units an effect needs to be found, and how many days it takes until they have"
          + " come, from the spread and the traffic that were measured so far."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether experiments power feed-v7",
      "  bellwether experiments power feed-v7 --effect 0.02 --power 0.9"
    })
final class ExperimentPowerVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "NAME", description = "The experiment.")
  private String name = "";

  @Option(
      names = "--effect",
      paramLabel = "SHARE",
      description = "Of the control's value, 0.02 is two percent (default: as declared).")
  private @Nullable Double effect;

  @Option(
      names = "--power",
      paramLabel = "SHARE",
      defaultValue = "0.8",
      description = "How surely it is to be found (default: ${DEFAULT-VALUE}).")
  private double power;

  ExperimentPowerVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode answer =
        service
            .client()
            .get(
                "/v1/experiments/%s/power?power=%s%s"
                    .formatted(
                        ServiceClient.segment(name),
                        power,
                        effect == null ? "" : "&effect=" + effect));
    answer.path("metrics").forEach(metric -> terminal.print(line(metric)));
    json.write(answer);
    return ExitCode.DONE;
  }

  private static String line(JsonNode metric) {
    String what =
        String.format(
            Locale.ROOT,
            "%s under %s, %.2f %%",
            metric.path("name").asText(),
            metric.path("variant").asText(),
            100 * metric.path("relativeEffect").asDouble());
    if (!metric.has("perVariant")) {
      return what + ": cannot be said, " + metric.path("reason").asText("nothing was measured yet");
    }
    String units = "%,d units per variant".formatted(metric.path("perVariant").asLong());
    return metric.has("days")
        ? String.format(
            Locale.ROOT, "%s: %s, %.1f days", what, units, metric.path("days").asDouble())
        : what + ": " + units;
  }
}
