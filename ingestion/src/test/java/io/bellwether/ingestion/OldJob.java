package io.bellwether.ingestion;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import java.io.DataOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.core.execution.SavepointFormatType;

/**
 * The program that made the savepoints which {@link SavepointUpgradeIT} starts from. It is run on
 * the release whose state is to be kept readable, with the folder to write to as its argument:
 * {@code native} and {@code canonical} are savepoints, {@code emitted} holds the transitions that
 * were out before them.
 */
final class OldJob {

  private OldJob() {}

  public static void main(String[] arguments) throws Exception {
    Path target = Path.of(arguments[0]).toAbsolutePath();
    Files.createDirectories(target);
    for (SavepointFormatType format : SavepointFormatType.values()) {
      String name = format.name().toLowerCase(Locale.ROOT);
      Path folder = Files.createTempDirectory("savepoints");
      try (StoryJob job =
          StoryJob.start(name, UpgradeStory.arrivedBefore(), 1, "hashmap", Optional.empty())) {
        List<Transition> emitted = settled(job);
        job.stop(folder, format);
        write(target.resolve("emitted"), emitted);
      }
      try (Stream<Path> files = Files.walk(folder)) {
        List<Path> plain = files.filter(Files::isRegularFile).toList();
        if (plain.size() != 1) {
          throw new IllegalStateException("expected one small file, found " + plain);
        }
        Files.createDirectories(target.resolve(name));
        Files.move(
            plain.get(0),
            target.resolve(name).resolve("_metadata"),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** All that the first part of the story brings forth. */
  private static List<Transition> settled(StoryJob job) throws Exception {
    int before = -1;
    while (job.transitions().all().isEmpty() || job.transitions().all().size() != before) {
      before = job.transitions().all().size();
      TimeUnit.SECONDS.sleep(5);
      job.checkRunning();
    }
    return job.transitions().all();
  }

  private static void write(Path file, List<Transition> transitions) throws Exception {
    EventCodec<Transition> codec = EventCodec.of(Transition.class);
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
      for (Transition transition : transitions) {
        byte[] bytes = codec.encode(transition);
        out.writeInt(bytes.length);
        out.write(bytes);
      }
    }
  }
}
