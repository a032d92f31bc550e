package io.bellwether.trainer.imports;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The numbered lines of a text file that nobody vouches for: UTF-8, plain or gzipped (told by its
 * first bytes, not by its name), ended by LF or CRLF, with or without a byte order mark.
 *
 * <p>A line that cannot be read, because it is too long, not UTF-8 or has a byte 0, is returned
 * with what is wrong with it, and the next one is read. What is wrong with the file as a whole is
 * an {@link ImportRefused} that names file and line: another encoding, a container that is no text,
 * a gzip stream that is cut off, damaged, or expands like a bomb. Memory is bounded by the longest
 * line that is allowed, whatever the file. Confined to one thread.
 */
public final class Lines implements AutoCloseable {

  /** Longest line that is read unless told otherwise: 500 candidates with long features fit. */
  public static final int MAX_LINE_BYTES = 16 << 20;

  /** How much of a line that cannot be read is kept, characters. */
  public static final int MAX_EXCERPT = 1_000;

  /** Text compresses 5 to 50 times; Deflate's limit is 1,032 times. */
  static final int MAX_EXPANSION = 250;

  /** Up to here a stream may expand as it likes: small files of equal lines are no attack. */
  static final long FREE_EXPANSION_BYTES = 64L << 20;

  private static final int BUFFER = 1 << 16;

  private final String file;
  private final long size;
  private final int maxLineBytes;
  private final Counted compressed;
  private final InputStream plain;
  private final boolean zipped;
  private final CharsetDecoder decoder =
      UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);

  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int limit;
  private byte[] line = new byte[1024];
  private int length;
  private long number;
  private long expanded;

  /**
   * One line.
   *
   * @param number 1-based; a byte order mark and an ending are not part of the text
   * @param text the line; at most its first {@link #MAX_EXCERPT} characters where there is a
   *     problem
   * @param problem why it cannot be read, for instance {@code "is longer than 16777216 bytes"};
   *     null where it can
   */
  public record Line(long number, String text, @Nullable String problem) {}

  private Lines(String file, InputStream bytes, long size, int maxLineBytes) throws IOException {
    this.file = file;
    this.size = size;
    this.maxLineBytes = maxLineBytes;
    this.compressed = new Counted(bytes);
    byte[] start = compressed.peek();
    refuseContainers(start);
    this.zipped = starts(start, 0x1f, 0x8b);
    this.plain = zipped ? unzipped() : compressed;
    fill();
    skipByteOrderMark();
  }

  /** The lines of a file, none longer than {@link #MAX_LINE_BYTES}; whoever calls closes them. */
  public static Lines open(Path file) throws IOException {
    return open(file, MAX_LINE_BYTES);
  }

  /**
   * The lines of a file; whoever calls closes them.
   *
   * @param maxLineBytes a longer line cannot be read
   * @throws ImportRefused where the file is no text in UTF-8
   */
  public static Lines open(Path file, int maxLineBytes) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ImportRefused(
          file + (Files.exists(file) ? " is not a file" : " does not exist; give the log's file"));
    }
    return of(file.toString(), Files.newInputStream(file), Files.size(file), maxLineBytes);
  }

  /**
   * The lines of a stream, which is closed with them.
   *
   * @param name what messages call it
   * @param size how many bytes the stream has
   */
  static Lines of(String name, InputStream bytes, long size, int maxLineBytes) throws IOException {
    try {
      return new Lines(name, bytes, size, maxLineBytes);
    } catch (IOException | RuntimeException e) {
      bytes.close();
      throw e;
    }
  }

  /** The name that origins of records carry: the file as it was given. */
  public String file() {
    return file;
  }

  /**
   * The next line, null after the last. An ending at the very end begins no further line.
   *
   * @throws ImportRefused where the file cannot be read on
   */
  public @Nullable Line next() throws IOException {
    if (position == limit && !fill()) {
      return null;
    }
    number++;
    length = 0;
    boolean tooLong = false;
    while (true) {
      int end = position;
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
      tooLong |= !append(end);
      boolean ended = end < limit;
      position = ended ? end + 1 : end;
      if (ended || !fill()) {
        break;
      }
    }
    if (tooLong) {
      return new Line(number, excerpt(), "is longer than " + maxLineBytes + " bytes");
    }
    if (length > 0 && line[length - 1] == '\r') {
      length--;
    }
    return decoded();
  }

  /** How much of the file was read, in [0, 1]. */
  public double progress() {
    return size <= 0 ? 1 : Math.min(1, (double) compressed.count / size);
  }

  @Override
  public void close() throws IOException {
    plain.close();
  }

  /** Keeps what is in the buffer up to {@code end}; of a line that is too long only the excerpt. */
  private boolean append(int end) {
    int more = end - position;
    // A carriage return before the ending does not count.
    if ((long) length + more > maxLineBytes + 1L) {
      more = Math.max(0, Math.min(more, 4 * MAX_EXCERPT - length));
      grow(more);
      return false;
    }
    grow(more);
    return true;
  }

  private void grow(int more) {
    if (line.length - length < more) {
      line = Arrays.copyOf(line, Math.max(length + more, Math.min(maxLineBytes + 1, 2 * length)));
    }
    System.arraycopy(buffer, position, line, length, more);
    length += more;
  }

  private Line decoded() {
    for (int i = 0; i < length; i++) {
      if (line[i] == 0) {
        return new Line(number, excerpt(), "has a byte 0 at byte " + (i + 1) + ", is not text");
      }
    }
    if (length > maxLineBytes) {
      return new Line(number, excerpt(), "is longer than " + maxLineBytes + " bytes");
    }
    ByteBuffer bytes = ByteBuffer.wrap(line, 0, length);
    try {
      return new Line(number, decoder.decode(bytes).toString(), null);
    } catch (CharacterCodingException e) {
      return new Line(number, excerpt(), notUtf8());
    }
  }

  private String notUtf8() {
    ByteBuffer bytes = ByteBuffer.wrap(line, 0, length);
    CharBuffer chars = CharBuffer.allocate(BUFFER);
    CoderResult result = decoder.reset().decode(bytes, chars, true);
    while (result.isOverflow()) {
      result = decoder.decode(bytes, chars.clear(), true);
    }
    int at = bytes.position();
    return "is not UTF-8: byte %d is 0x%02x; convert the file, for instance with iconv -f LATIN1 -t UTF-8"
        .formatted(at + 1, line[Math.min(at, length - 1)] & 0xff);
  }

  /** The line's beginning, whatever it is. */
  private String excerpt() {
    String text = new String(line, 0, Math.min(length, 4 * MAX_EXCERPT), UTF_8);
    if (text.length() <= MAX_EXCERPT) {
      return text;
    }
    int end =
        Character.isHighSurrogate(text.charAt(MAX_EXCERPT - 1)) ? MAX_EXCERPT - 1 : MAX_EXCERPT;
    return text.substring(0, end);
  }

  private InputStream unzipped() throws IOException {
    try {
      return new GZIPInputStream(compressed, BUFFER);
    } catch (EOFException e) {
      throw cutOff();
    } catch (ZipException e) {
      throw damaged(e);
    }
  }

  /** Reads more; false at the end. */
  private boolean fill() throws IOException {
    position = 0;
    limit = 0;
    try {
      int read = plain.read(buffer, 0, BUFFER);
      limit = Math.max(0, read);
    } catch (EOFException e) {
      throw cutOff();
    } catch (ZipException e) {
      throw damaged(e);
    }
    expanded += limit;
    if (zipped && expanded > FREE_EXPANSION_BYTES && expanded / MAX_EXPANSION > compressed.count) {
      throw new ImportRefused(
          "%s line %d: %d compressed bytes gave %d, more than %d times as many; that is no log"
              .formatted(file, number + 1, compressed.count, expanded, MAX_EXPANSION));
    }
    return limit > 0;
  }

  private ImportRefused cutOff() {
    return new ImportRefused(
        "%s line %d: the gzip stream ends in the middle; the file is not complete, fetch it again"
            .formatted(file, number + 1));
  }

  private ImportRefused damaged(ZipException e) {
    return new ImportRefused(
        "%s line %d: the gzip stream is damaged (%s); fetch the file again"
            .formatted(file, number + 1, e.getMessage()));
  }

  private void skipByteOrderMark() {
    if (limit >= 3 && starts(buffer, 0xef, 0xbb, 0xbf)) {
      position = 3;
      return;
    }
    boolean marked = limit >= 2 && (starts(buffer, 0xff, 0xfe) || starts(buffer, 0xfe, 0xff));
    boolean halfZeros = limit >= 4 && zeros(4) == 2;
    if (marked || halfZeros) {
      throw new ImportRefused(
          file
              + " is UTF-16, must be UTF-8; convert it, for instance with iconv -f UTF-16 -t"
              + " UTF-8");
    }
  }

  private int zeros(int bytes) {
    int zeros = 0;
    for (int i = 0; i < bytes; i++) {
      zeros += buffer[i] == 0 ? 1 : 0;
    }
    return zeros;
  }

  private void refuseContainers(byte[] start) {
    String found =
        starts(start, 'P', 'K', 3, 4)
            ? "a ZIP archive"
            : starts(start, 0x28, 0xb5, 0x2f, 0xfd)
                ? "compressed with Zstandard"
                : starts(start, 'B', 'Z', 'h')
                    ? "compressed with bzip2"
                    : starts(start, 0xfd, '7', 'z', 'X', 'Z')
                        ? "compressed with xz"
                        : starts(start, 'P', 'A', 'R', '1') ? "a Parquet file" : null;
    if (found != null) {
      throw new ImportRefused(file + " is " + found + ", must be text, plain or gzipped");
    }
  }

  private static boolean starts(byte[] bytes, int... with) {
    if (bytes.length < with.length) {
      return false;
    }
    for (int i = 0; i < with.length; i++) {
      if ((bytes[i] & 0xff) != with[i]) {
        return false;
      }
    }
    return true;
  }

  /** Counts what was taken from a stream whose first bytes were looked at. */
  private static final class Counted extends FilterInputStream {
    private byte[] ahead = new byte[0];
    private int taken;
    private long count;

    Counted(InputStream in) {
      super(in);
    }

    /** The first bytes, at most 8, which are read again afterwards. */
    byte[] peek() throws IOException {
      ahead = in.readNBytes(8);
      return ahead;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
      int read;
      if (taken < ahead.length) {
        read = Math.min(most, ahead.length - taken);
        System.arraycopy(ahead, taken, into, offset, read);
        taken += read;
      } else {
        read = in.read(into, offset, most);
      }
      count += Math.max(0, read);
      return read;
    }

    @Override
    public long skip(long n) throws IOException {
      return in.skip(0);
    }

    @Override
    public int available() throws IOException {
      return ahead.length - taken + in.available();
    }
  }
}
