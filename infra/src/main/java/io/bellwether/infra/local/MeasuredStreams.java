package io.bellwether.infra.local;

import io.bellwether.infra.platform.Platform;
import io.bellwether.infra.platform.PlatformAddress;
import io.bellwether.infra.platform.PlatformMain;
import io.bellwether.infra.process.ChildFailed;
import io.bellwether.infra.process.ProcessGroup;
import io.bellwether.infra.process.Readiness;
import io.bellwether.loadtest.ingestion.StreamsUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Kafka and Redis with the options of a benchmark, and nothing beside them. Immutable.
 *
 * @param folder of their data; nothing else is in it
 */
public record MeasuredStreams(Installation installation, Path folder, Consumer<String> progress)
    implements StreamsUnderTest.Source {

  private static final Duration READY = Duration.ofMinutes(2);

  /** The broker's page cache is the machine's; its heap need not be large. */
  private static final JvmLimits PLATFORM_LIMITS = new JvmLimits(512, 128, false);

  @Override
  public <T> T with(StreamsUnderTest.Use<T> use) throws Exception {
    try (ProcessGroup group = new ProcessGroup(folder.resolve("logs"), this::died)) {
      group.start(
          installation.javaProgram(
              LocalSystem.PLATFORM,
              PLATFORM_LIMITS,
              PlatformMain.class.getName(),
              List.of(folder.toString())),
          Readiness.file(Platform.addressFile(folder)),
          READY);
      PlatformAddress address = PlatformAddress.read(Platform.addressFile(folder));
      return use.apply(new StreamsUnderTest(address.kafka(), address.redis()));
    }
  }

  private void died(ChildFailed death) {
    progress.accept(String.valueOf(death.getMessage()));
  }
}
