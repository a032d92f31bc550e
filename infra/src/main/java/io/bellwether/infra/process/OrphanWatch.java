package io.bellwether.infra.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A tiny shell that ends a child when we die without stopping it, even by SIGKILL.
 *
 * <p>It waits on a pipe that only we hold open. End of file means that we are gone: it sends
 * SIGTERM to the child, and SIGKILL {@value #GRACE_SECONDS} s later. A line means that the child
 * has ended: it leaves without touching the process id, which may belong to somebody else by then.
 * Works for every kind of child, a JVM or not, which a thread inside the child would not.
 * Thread-safe.
 */
final class OrphanWatch {
  /** Enough for a broker to close its logs in order. */
  private static final int GRACE_SECONDS = 20;

  private static final String SCRIPT =
      """
      read -r word && exit 0
      kill -TERM "$1" 2>/dev/null || exit 0
      waited=0
      while [ $waited -lt %d ] && kill -0 "$1" 2>/dev/null; do
        sleep 1
        waited=$((waited + 1))
      done
      kill -KILL "$1" 2>/dev/null
      """
          .formatted(GRACE_SECONDS);

  private final Process shell;

  private OrphanWatch(Process shell) {
    this.shell = shell;
  }

  static OrphanWatch over(long pid) throws IOException {
    List<String> command =
        OwnSession.find().of(List.of("sh", "-c", SCRIPT, "orphan-watch", Long.toString(pid)));
    return new OrphanWatch(
        new ProcessBuilder(command)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start());
  }

  /** The child has ended; nothing is left to watch. */
  void release() {
    try (var pipe = shell.getOutputStream()) {
      pipe.write("ended\n".getBytes(StandardCharsets.US_ASCII));
    } catch (IOException gone) {
      // A watch that is not there any more needs no release, but must not stay half alive either.
      shell.destroyForcibly();
    }
  }
}
