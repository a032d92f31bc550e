package io.bellwether.infra.command;

import picocli.CommandLine.Option;

/** What every entry of the release log needs: why, and who wants it. */
final class WhyOptions {
  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "The reason, for the log.")
  private String why = "";

  @Option(
      names = "--who",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "Whose decision it is, for the log (default: the user).")
  private String who = "";

  String why() {
    return MoveOptions.filled("--why", why);
  }

  String who() {
    return MoveOptions.filled("--who", who);
  }
}
