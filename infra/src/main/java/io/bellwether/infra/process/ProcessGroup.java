package io.bellwether.infra.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Children in the order in which they were started; stopped in the reverse order, each with time to
 * finish. Tells a listener about a child that ends unasked. Thread-safe; nothing waits under the
 * lock, so that a shutdown hook can close a group in the middle of a start.
 */
public final class ProcessGroup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessGroup.class);

  /** A broker with full caches closes in a few seconds; a service finishes requests in flight. */
  private static final Duration GRACE = Duration.ofSeconds(20);

  private final Path logFolder;
  private final Consumer<ChildFailed> onDeath;
  private final Map<String, ChildProcess> children = new LinkedHashMap<>();
  private boolean closed;

  /**
   * @param logFolder where {@code NAME.log} of each child goes
   * @param onDeath told once for each child that ends unasked, on a thread of its own
   */
  public ProcessGroup(Path logFolder, Consumer<ChildFailed> onDeath) {
    this.logFolder = logFolder;
    this.onDeath = onDeath;
  }

  /**
   * Starts a program and returns when it is ready.
   *
   * @throws IllegalStateException when the group is closed, or a child of this name is alive
   */
  public ChildProcess start(Program program, Readiness readiness, Duration timeout)
      throws IOException, ChildFailed, InterruptedException {
    ChildProcess child = launch(program);
    child.awaitReady(readiness, timeout);
    var unused = child.onExit().thenRunAsync(() -> ended(child));
    return child;
  }

  /** Stops the child if it is alive, starts the same program again, returns when it is ready. */
  public ChildProcess restart(String name, Readiness readiness, Duration timeout)
      throws IOException, ChildFailed, InterruptedException {
    ChildProcess old = child(name);
    stop(name);
    return start(old.program(), readiness, timeout);
  }

  /** The child of this name, alive or not. */
  public synchronized ChildProcess child(String name) {
    ChildProcess child = children.get(name);
    if (child == null) {
      throw new NoSuchElementException("No child named " + name);
    }
    return child;
  }

  /** Stops one child in order; does nothing if it has ended. */
  public void stop(String name) {
    child(name).stop(GRACE);
  }

  /** Ends one child by SIGKILL, as a crash would; the listener is not told. */
  public void kill(String name) {
    child(name).kill();
  }

  /** Memory of all living children, in bytes; empty where it cannot be told. */
  public OptionalLong residentBytes() {
    return inOrder().stream()
        .map(ChildProcess::residentBytes)
        .filter(OptionalLong::isPresent)
        .mapToLong(OptionalLong::getAsLong)
        .reduce(Long::sum);
  }

  /** The children, in the order in which they were first started. */
  public synchronized List<ChildProcess> inOrder() {
    return List.copyOf(children.values());
  }

  /** Whether the group is being stopped: what fails from then on fails because of that. */
  public synchronized boolean closed() {
    return closed;
  }

  /** Stops everything, last started first. Later calls return at once. */
  @Override
  public void close() {
    for (ChildProcess child : closing()) {
      LOG.info("Stopping {}", child.name());
      child.stop(GRACE);
    }
  }

  private synchronized List<ChildProcess> closing() {
    List<ChildProcess> left = new ArrayList<>(children.values());
    Collections.reverse(left);
    closed = true;
    children.clear();
    return left;
  }

  private synchronized ChildProcess launch(Program program) throws IOException {
    if (closed) {
      throw new IllegalStateException("Stopping: " + program.name() + " is not started");
    }
    ChildProcess before = children.get(program.name());
    if (before != null && before.alive()) {
      throw new IllegalStateException(program.name() + " is running as process " + before.pid());
    }
    ChildProcess child = ChildProcess.start(program, logFolder);
    children.put(program.name(), child);
    return child;
  }

  private void ended(ChildProcess child) {
    if (!child.endWanted()) {
      onDeath.accept(child.died());
    }
  }
}
