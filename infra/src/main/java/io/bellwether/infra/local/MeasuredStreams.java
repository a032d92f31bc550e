package io.bellwether.infra.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.infra.platform.Platform;
import io.bellwether.infra.platform.PlatformAddress;
import io.bellwether.infra.platform.PlatformMain;
import io.bellwether.infra.process.ChildFailed;
import io.bellwether.infra.process.ProcessGroup;
import io.bellwether.infra.process.Readiness;
import io.bellwether.loadtest.ingestion.StreamsUnderTest;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Kafka and Redis, and the streams process where it is asked for; nothing beside them. Each use has
 * a folder of its own. Immutable.
 *
 * @param folder of its data; nothing else is in it
 */
public record MeasuredStreams(Installation installation, Path folder, Consumer<String> progress)
    implements StreamsUnderTest.Source {

  private static final Duration READY = Duration.ofMinutes(2);

  /** The broker's page cache is the machine's; its heap need not be large. */
  private static final JvmLimits PLATFORM_LIMITS = new JvmLimits(512, 128, false);

  private static final JvmLimits STREAMS_LIMITS = new JvmLimits(1_536, 256, false);

  @Override
  public <T> T with(String surfaceName, String surface, StreamsUnderTest.Use<T> use)
      throws Exception {
    Path data = Files.createTempDirectory(Files.createDirectories(folder), "streams-");
    Path surfaces = Files.createDirectories(data.resolve("surfaces"));
    Files.write(surfaces.resolve(surfaceName + ".yaml"), surface.getBytes(UTF_8));
    try (ProcessGroup group = new ProcessGroup(data.resolve("logs"), this::died)) {
      group.start(
          installation.javaProgram(
              LocalSystem.PLATFORM,
              PLATFORM_LIMITS,
              PlatformMain.class.getName(),
              List.of(data.toString())),
          Readiness.file(Platform.addressFile(data)),
          READY);
      PlatformAddress address = PlatformAddress.read(Platform.addressFile(data));
      return use.apply(
          new StreamsUnderTest(
              address.kafka(),
              URI.create(address.redis()),
              () -> startStreams(group, address, surfaces, data)));
    }
  }

  private void startStreams(ProcessGroup group, PlatformAddress address, Path surfaces, Path data)
      throws Exception {
    group.start(
        installation.javaProgram(
            LocalSystem.STREAMS,
            STREAMS_LIMITS,
            LocalSystem.STREAMS_MAIN,
            List.of(
                "--kafka",
                address.kafka(),
                "--redis",
                address.redis(),
                "--surfaces",
                surfaces.toString(),
                "--data",
                data.toString())),
        Readiness.file(data.resolve("streams.json")),
        READY);
  }

  private void died(ChildFailed death) {
    progress.accept(String.valueOf(death.getMessage()));
  }
}
