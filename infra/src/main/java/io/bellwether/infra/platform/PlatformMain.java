package io.bellwether.infra.platform;

import java.io.PrintStream;
import java.nio.file.Path;
import org.apache.kafka.common.utils.Exit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The platform as a process of its own. Argument: the data folder. Runs until SIGTERM, then stops
 * in order. Exit code 3 when Kafka or Redis cannot run, after one line with the reason and one with
 * what to do.
 */
public final class PlatformMain {
  private static final Logger LOG = LoggerFactory.getLogger(PlatformMain.class);

  /** DESIGN.md, "One command": something outside is down. */
  private static final int UNAVAILABLE = 3;

  private PlatformMain() {}

  /** Runs until the process is told to stop. */
  public static void main(String[] args) throws InterruptedException {
    if (args.length != 1) {
      System.err.println("Usage: PlatformMain DATA_FOLDER");
      System.exit(2);
    }
    System.exit(run(Path.of(args[0]), System.err));
  }

  /** Runs until the process is told to stop, or the platform cannot run; gives the exit code. */
  public static int run(Path data, PrintStream errors) throws InterruptedException {
    Exit.setHaltProcedure((status, reason) -> kafkaGaveUp(reason, errors));
    try {
      Platform platform = Platform.start(data);
      Runtime.getRuntime().addShutdownHook(new Thread(platform::close, "stop platform"));
      LOG.info("Ready: {}", platform.address());
      if (platform.awaitEnd()) {
        return 0;
      }
      errors.println("Redis ended unexpectedly.");
      errors.println("See " + data.resolve("logs").resolve("redis.log") + ", then start again.");
    } catch (PlatformFailed e) {
      LOG.debug("Start failed", e);
      errors.println(e.getMessage());
      errors.println(e.next());
    }
    return UNAVAILABLE;
  }

  /** The broker ends its process when its disk fails, for instance; it must not do so silently. */
  private static void kafkaGaveUp(@Nullable String reason, PrintStream errors) {
    errors.println("Kafka gave up" + (reason == null ? "." : ": " + reason));
    errors.println("Look for the cause above this line, free disk space or memory, start again.");
    Runtime.getRuntime().halt(UNAVAILABLE);
  }
}
