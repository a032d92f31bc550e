package io.bellwether.ingestion.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.event.Erasure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Up to when each erased subject is to be forgotten. Thread-safe; about 200 bytes a subject.
 *
 * <p>Beside the archive it is a file of lines {@code HASH MICROS}, so that whoever reads the
 * archive without Kafka leaves out the same rows.
 */
public final class ErasedSubjects {

  /** The file in an archive's root folder. */
  public static final String FILE = "erasures.txt";

  private static final Pattern LINE = Pattern.compile("([0-9a-f]{64}) (\\d{1,18})");

  private final Map<String, Long> until = new ConcurrentHashMap<>();

  /** Those that are named beside an archive; none where it names none. */
  public static ErasedSubjects in(Path archive) {
    ErasedSubjects erased = new ErasedSubjects();
    try {
      for (String line : Files.readAllLines(archive.resolve(FILE), UTF_8)) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
          throw new IllegalStateException(
              archive.resolve(FILE) + " is damaged: nobody can tell whose past is to be forgotten");
        }
        erased.until.put(parts.group(1), Long.parseLong(parts.group(2)));
      }
    } catch (NoSuchFileException e) {
      return erased;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + archive.resolve(FILE), e);
    }
    return erased;
  }

  /**
   * Names these beside an archive; nobody reads half of the file, and on return it outlives a loss
   * of power.
   */
  public void write(Path archive) throws IOException {
    List<String> lines = new ArrayList<>();
    new TreeMap<>(until).forEach((subject, micros) -> lines.add(subject + " " + micros));
    Files.createDirectories(archive);
    Path written = Files.createTempFile(archive, "." + FILE, ".inprogress");
    Files.write(written, lines, UTF_8);
    force(written, StandardOpenOption.WRITE);
    Files.move(written, archive.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    force(archive, StandardOpenOption.READ);
  }

  private static void force(Path path, StandardOpenOption option) throws IOException {
    try (FileChannel channel = FileChannel.open(path, option)) {
      channel.force(true);
    }
  }

  /** Adds an erasure; of several of a subject the latest counts. */
  public void add(Erasure erasure) {
    until.merge(erasure.subject(), erasure.untilMicros(), Math::max);
  }

  /** Adds all of another. */
  public void addAll(ErasedSubjects others) {
    others.until.forEach((subject, micros) -> until.merge(subject, micros, Math::max));
  }

  public boolean isEmpty() {
    return until.isEmpty();
  }

  /** How many subjects. */
  public int size() {
    return until.size();
  }

  /** Whether what was decided for a subject at a time is to be forgotten. */
  public boolean covers(String subjectId, long decidedAtMicros) {
    return decidedAtMicros <= untilMicros(subjectId);
  }

  /** Up to when a subject is to be forgotten; before all times where it is not. */
  public long untilMicros(String subjectId) {
    if (until.isEmpty()) {
      return Long.MIN_VALUE;
    }
    return until.getOrDefault(Erasure.hash(subjectId), Long.MIN_VALUE);
  }
}
