package io.bellwether.infra.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A running program that we started. Its output goes to {@code NAME.log}, written by the program
 * itself, so that nothing is lost or held up when we are slow. It ends with us: see {@link
 * OrphanWatch}. Thread-safe.
 */
public final class ChildProcess {
  /** How many log lines a failure shows. */
  private static final int SHOWN_LINES = 20;

  /** At the next start a log beyond this size becomes {@code NAME.log.1}: at most two are kept. */
  private static final long MAX_LOG_BYTES = 10L << 20;

  /** Between two questions whether a child is ready. */
  private static final long POLL_MILLIS = 25;

  /** Only this much of a log's end is read to show its last lines. */
  private static final int TAIL_BYTES = 16 << 10;

  private final Program program;
  private final Path log;
  private final Process process;
  private volatile boolean endWanted;

  private ChildProcess(Program program, Path log, Process process) {
    this.program = program;
    this.log = log;
    this.process = process;
  }

  /** Starts the program; {@link #awaitReady} says when it can be used. */
  public static ChildProcess start(Program program, Path logFolder) throws IOException {
    ChildProcess child = startDetached(program, logFolder);
    OrphanWatch watch = OrphanWatch.over(child.pid());
    var unused = child.onExit().thenRun(watch::release);
    return child;
  }

  /** The same, except that the program goes on after our end: nothing watches over it. */
  public static ChildProcess startDetached(Program program, Path logFolder) throws IOException {
    Files.createDirectories(logFolder);
    Path log = logFolder.resolve(program.name() + ".log");
    rotate(log);
    ProcessBuilder builder =
        new ProcessBuilder(OwnSession.find().of(program.command()))
            .directory(program.folder().toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(program.environment());
    return new ChildProcess(program, log, builder.start());
  }

  public String name() {
    return program.name();
  }

  Program program() {
    return program;
  }

  public long pid() {
    return process.pid();
  }

  public boolean alive() {
    return process.isAlive();
  }

  public Path log() {
    return log;
  }

  /** Whether {@link #stop} or {@link #kill} was called: an end is then no accident. */
  boolean endWanted() {
    return endWanted;
  }

  /** Completes when the program has ended, for whatever reason. */
  CompletableFuture<Process> onExit() {
    return process.onExit();
  }

  /**
   * Returns when the program is ready.
   *
   * @throws ChildFailed when it ends first or the timeout passes; it is not stopped then
   */
  public void awaitReady(Readiness readiness, Duration timeout)
      throws ChildFailed, InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!readiness.ready()) {
      if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        throw failed("ended with exit code " + process.exitValue() + " before it was ready");
      }
      if (System.nanoTime() - deadline > 0) {
        throw failed("was not ready within " + timeout.toSeconds() + " s");
      }
    }
  }

  /** Waits until the program has ended: true when we ended it, false when it ended unasked. */
  public boolean awaitEnd() throws InterruptedException {
    process.waitFor();
    return endWanted;
  }

  /** SIGTERM, then SIGKILL after the grace time; returns when the program has ended. */
  public void stop(Duration grace) {
    endWanted = true;
    process.destroy();
    boolean interrupted = false;
    try {
      if (process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException hurry) {
      interrupted = true;
    }
    kill();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** SIGKILL; returns when the program has ended. What it had started ends with it. */
  public void kill() {
    endWanted = true;
    process.destroyForcibly();
    process.onExit().join();
  }

  /** What to tell somebody about a program that ended unasked. */
  ChildFailed died() {
    return failed("ended unexpectedly with exit code " + process.exitValue());
  }

  /**
   * Memory that this program and all that it started hold now, in bytes. Pages shared by several
   * processes count once for each. Empty where there is no {@code /proc}, or after the end.
   */
  public OptionalLong residentBytes() {
    return ResidentMemory.of(process.toHandle());
  }

  /** The last lines of the log, oldest first; empty if there are none. */
  public List<String> lastLines(int count) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - TAIL_BYTES);
      byte[] tail = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(tail);
      List<String> lines = new String(tail, StandardCharsets.UTF_8).lines().toList();
      return lines.subList(Math.max(0, lines.size() - count), lines.size());
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  private ChildFailed failed(String what) {
    return new ChildFailed(program.name(), what, log, lastLines(SHOWN_LINES));
  }

  private static void rotate(Path log) throws IOException {
    if (Files.exists(log) && Files.size(log) > MAX_LOG_BYTES) {
      Files.move(
          log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
