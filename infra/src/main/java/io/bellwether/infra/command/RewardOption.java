package io.bellwether.infra.command;

import io.bellwether.ingestion.surface.Surface;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --signal}: which signal the reward of a foreign log is. */
final class RewardOption {
  @Option(
      names = "--signal",
      paramLabel = "NAME",
      description = "The signal that the log's reward is (default: the surface's objective).")
  private @Nullable String signal;

  String signal(Surface surface) {
    if (signal == null) {
      return surface.objective().signal();
    }
    if (surface.signal(signal).isEmpty()) {
      throw CommandFailed.wrongInput(
          "The surface " + surface.name() + " has no signal " + signal + ".",
          "It has "
              + String.join(", ", surface.signals().stream().map(each -> each.name()).toList())
              + ".");
    }
    return signal;
  }
}
