package io.bellwether.infra.command;

import io.bellwether.policy.version.Alias;
import picocli.CommandLine.Option;

/** What every move of an alias needs: which one, why, and who wants it. */
final class MoveOptions {
  @Option(
      names = "--alias",
      paramLabel = "ALIAS",
      defaultValue = "champion",
      description = "champion, challenger or shadow (default: ${DEFAULT-VALUE}).")
  private Alias alias = Alias.CHAMPION;

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "The reason, for the history.")
  private String why = "";

  @Option(
      names = "--who",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "Whose decision it is, for the history (default: the user).")
  private String who = "";

  Alias alias() {
    return alias;
  }

  String why() {
    return filled("--why", why);
  }

  String who() {
    return filled("--who", who);
  }

  static String filled(String option, String text) {
    if (text.isBlank()) {
      throw CommandFailed.wrongInput(option + " is blank.", "Say it in a few words.");
    }
    return text;
  }
}
