package io.bellwether.trainer.imports;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinesTest {

  @TempDir private Path folder;

  @Test
  void linesEndWithLfOrCrLfAndTheLastOneMayNotEnd() throws IOException {
    assertEquals(List.of("a", "b", "", "c"), texts("a\nb\r\n\nc".getBytes(UTF_8)));
    assertEquals(List.of("a"), texts("a\r\n".getBytes(UTF_8)));
    assertEquals(List.of(), texts(new byte[0]));
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstLine() throws IOException {
    assertEquals(List.of("id,p", "1,2"), texts("\uFEFFid,p\n1,2\n".getBytes(UTF_8)));
  }

  @Test
  void aLineThatIsNotUtf8IsAProblemOfThatLineAlone() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("fine\n".getBytes(UTF_8));
    bytes.writeBytes("Größe\n".getBytes(ISO_8859_1));
    bytes.writeBytes("Größe\n".getBytes(UTF_8));
    bytes.writeBytes("a\0b\n".getBytes(UTF_8));
    List<Lines.Line> lines = lines(bytes.toByteArray(), 100);
    assertEquals(
        "is not UTF-8: byte 3 is 0xf6; convert the file, for instance with"
            + " iconv -f LATIN1 -t UTF-8",
        lines.get(1).problem());
    assertEquals(new Lines.Line(3, "Größe", null), lines.get(2));
    assertEquals("has a byte 0 at byte 2, is not text", lines.get(3).problem());
  }

  @Test
  void aLineThatIsTooLongIsAProblemAndTheNextOneIsRead() throws IOException {
    String exact = "x".repeat(100);
    List<Lines.Line> lines =
        lines((exact + "\r\n" + exact + "y\n" + "z".repeat(5000) + "\nend").getBytes(UTF_8), 100);
    assertEquals(new Lines.Line(1, exact, null), lines.get(0));
    assertEquals("is longer than 100 bytes", lines.get(1).problem());
    assertEquals("is longer than 100 bytes", lines.get(2).problem());
    assertTrue(lines.get(2).text().length() <= Lines.MAX_EXCERPT);
    assertEquals(new Lines.Line(4, "end", null), lines.get(3));
  }

  @Test
  void aLineOfAGigabyteCostsNoMemory() throws IOException {
    long size = 1L << 30;
    try (Lines lines = Lines.of("endless", new Repeated((byte) 'x', size), size, 1 << 20)) {
      Lines.Line line = Objects.requireNonNull(lines.next());
      assertEquals("is longer than 1048576 bytes", line.problem());
      assertTrue(line.text().length() <= Lines.MAX_EXCERPT);
      assertNull(lines.next());
      assertEquals(1, lines.progress());
    }
  }

  @Test
  void gzipIsToldByItsFirstBytes() throws IOException {
    assertEquals(List.of("a", "b"), texts(gzipped("a\nb\n".getBytes(UTF_8))));
  }

  @Test
  void aGzipStreamThatIsCutOffIsRefusedWithItsLine() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      text.append(Long.toString(i * 7919L % 104729, 36)).append('\n');
    }
    byte[] whole = gzipped(text.toString().getBytes(UTF_8));
    byte[] half = Arrays.copyOf(whole, whole.length / 2);
    ImportRefused cut = assertThrows(ImportRefused.class, () -> texts(half));
    assertTrue(
        Objects.requireNonNull(cut.getMessage())
            .matches("log line \\d{4,}: the gzip stream ends in the middle; .*"),
        cut.getMessage());
    whole[whole.length - 6] ^= 1;
    ImportRefused damaged = assertThrows(ImportRefused.class, () -> texts(whole));
    assertTrue(Objects.requireNonNull(damaged.getMessage()).contains("is damaged"));
  }

  @Test
  void aBombIsRefusedBeforeItHasExpanded() throws IOException {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bomb)) {
      byte[] line = new byte[1 << 20];
      Arrays.fill(line, (byte) 'a');
      line[line.length - 1] = '\n';
      for (int i = 0; i < 128; i++) {
        zip.write(line);
      }
    }
    ImportRefused refused = assertThrows(ImportRefused.class, () -> texts(bomb.toByteArray()));
    assertTrue(
        Objects.requireNonNull(refused.getMessage()).startsWith("log line 6"),
        refused.getMessage());
  }

  @Test
  void whatIsNoTextIsRefusedByName() {
    assertRefused("log is UTF-16", "a,b\n".getBytes(UTF_16LE));
    assertRefused("log is UTF-16", "\uFEFFa,b\n".getBytes(UTF_16LE));
    assertRefused("log is a ZIP archive", new byte[] {'P', 'K', 3, 4, 0, 0});
    assertRefused("log is a Parquet file", "PAR1....".getBytes(UTF_8));
    assertRefused(
        "log is compressed with Zstandard", new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd});
  }

  @Test
  void aFileThatIsNotThereIsRefused() throws IOException {
    Path absent = folder.resolve("absent.csv");
    ImportRefused refused = assertThrows(ImportRefused.class, () -> Lines.open(absent));
    assertTrue(Objects.requireNonNull(refused.getMessage()).contains("does not exist"));
    Path there = Files.writeString(folder.resolve("there.csv"), "a\n");
    try (Lines lines = Lines.open(there)) {
      assertEquals(new Lines.Line(1, "a", null), lines.next());
    }
  }

  @Property(tries = 100)
  void anyTextComesBackLineByLine(
      @ForAll @Size(max = 20) List<@StringLength(max = 40) String> given,
      @ForAll @IntRange(min = 1, max = 7) int chunk)
      throws IOException {
    List<String> expected =
        given.stream().map(t -> t.replaceAll("[\\r\\n\\x00\\p{Cs}]", "-")).toList();
    // Only a file that begins like something else is something else.
    byte[] bytes = ("#\n" + String.join("\n", expected) + "\n").getBytes(UTF_8);
    List<String> found = new ArrayList<>();
    try (Lines lines = Lines.of("log", new Chunks(bytes, chunk), bytes.length, 1000)) {
      for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
        assertNull(line.problem());
        found.add(line.text());
      }
    }
    assertEquals(given.isEmpty() ? List.of("") : expected, found.subList(1, found.size()));
  }

  private static void assertRefused(String beginning, byte[] bytes) {
    ImportRefused refused = assertThrows(ImportRefused.class, () -> texts(bytes));
    assertTrue(
        Objects.requireNonNull(refused.getMessage()).startsWith(beginning), refused.getMessage());
  }

  private static List<String> texts(byte[] bytes) throws IOException {
    return lines(bytes, Lines.MAX_LINE_BYTES).stream().map(Lines.Line::text).toList();
  }

  private static List<Lines.Line> lines(byte[] bytes, int maxLineBytes) throws IOException {
    List<Lines.Line> read = new ArrayList<>();
    try (Lines lines =
        Lines.of("log", new ByteArrayInputStream(bytes), bytes.length, maxLineBytes)) {
      for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
        read.add(line);
      }
    }
    return read;
  }

  private static byte[] gzipped(byte[] bytes) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
      zip.write(bytes);
    }
    return zipped.toByteArray();
  }

  /** A byte, again and again. */
  private static final class Repeated extends InputStream {
    private final byte what;
    private long left;

    Repeated(byte what, long left) {
      this.what = what;
      this.left = left;
    }

    @Override
    public int read() {
      return left-- > 0 ? what : -1;
    }

    @Override
    public int read(byte[] into, int offset, int most) {
      if (left == 0) {
        return -1;
      }
      int read = (int) Math.min(most, left);
      Arrays.fill(into, offset, offset + read, what);
      left -= read;
      return read;
    }
  }

  /** A stream that gives a few bytes at a time. */
  private static final class Chunks extends ByteArrayInputStream {
    private final int most;

    Chunks(byte[] bytes, int most) {
      super(bytes);
      this.most = most;
    }

    @Override
    public synchronized int read(byte[] into, int offset, int length) {
      return super.read(into, offset, Math.min(length, most));
    }
  }
}
