package io.bellwether.infra.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Turns a command into one that a terminal's Ctrl-C does not reach. A terminal interrupts every
 * process of its foreground group at once; our children must be stopped one after the other, by us.
 * The process id stays that of the command. Immutable.
 */
final class OwnSession {
  private final List<String> prefix;

  private OwnSession(List<String> prefix) {
    this.prefix = prefix;
  }

  /**
   * Uses {@code setsid} where there is one (Linux), otherwise a shell that ignores the interrupt
   * and is replaced by the command: an ignored signal stays ignored, and a JVM respects that.
   */
  static OwnSession find() {
    return onPath("setsid")
        .map(setsid -> new OwnSession(List.of(setsid.toString())))
        .orElseGet(
            () -> new OwnSession(List.of("sh", "-c", "trap '' INT; exec \"$@\"", "session")));
  }

  List<String> of(List<String> command) {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(command);
    return all;
  }

  private static Optional<Path> onPath(String executable) {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(folder, executable);
      if (Files.isExecutable(candidate)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }
}
