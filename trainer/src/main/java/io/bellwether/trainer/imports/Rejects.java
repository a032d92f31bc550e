package io.bellwether.trainer.imports;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The file of what could not be imported: tab-separated, a header, then file, line, reason and the
 * beginning of the text. It stops at a size after which nobody reads it. Confined to one thread.
 */
final class Rejects implements AutoCloseable {

  private static final byte[] HEADER = "file\tline\treason\ttext\n".getBytes(UTF_8);

  /** A file of this size has no reject in it. */
  static final long HEADER_BYTES = HEADER.length;

  private static final long MAX_BYTES = 64L << 20;
  private static final int MAX_TEXT = 1000;
  private static final int EXAMPLES = 5;

  private final FileChannel channel;
  private final OutputStream out;
  private long bytes;

  private Rejects(FileChannel channel, long bytes) {
    this.channel = channel;
    this.out = new BufferedOutputStream(Channels.newOutputStream(channel));
    this.bytes = bytes;
  }

  /**
   * Opens the file to go on after its first bytes; what stood behind them is forgotten.
   *
   * @param bytes 0 begins a new file
   */
  static Rejects open(Path file, long bytes) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    channel.truncate(bytes);
    channel.position(bytes);
    Rejects rejects = new Rejects(channel, bytes);
    if (bytes == 0) {
      rejects.append(HEADER);
    }
    return rejects;
  }

  /** A place in a log, for {@link #write(String, String, String)}. */
  static String place(LoggedDecision.Origin origin) {
    return plain(origin.file()) + "\t" + origin.line();
  }

  void write(LoggedDecision.Origin origin, String reason, String text) throws IOException {
    write(place(origin), reason, text);
  }

  void write(String place, String reason, String text) throws IOException {
    if (bytes < MAX_BYTES) {
      append((place + "\t" + plain(reason) + "\t" + plain(text) + "\n").getBytes(UTF_8));
    }
  }

  private void append(byte[] line) throws IOException {
    out.write(line);
    bytes += line.length;
  }

  private static String plain(String text) {
    String most = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    return most.replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  /** Puts what was written on disk, and tells how much that is. */
  long flush() throws IOException {
    out.flush();
    channel.force(false);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  /** The first rejects of a file: file, line and reason. */
  static List<String> examples(Path file) throws IOException {
    List<String> examples = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(file, UTF_8)) {
      lines.readLine();
      for (String line = lines.readLine();
          line != null && examples.size() < EXAMPLES;
          line = lines.readLine()) {
        String[] fields = line.split("\t", 4);
        examples.add(fields[0] + " line " + fields[1] + ": " + fields[2]);
      }
    }
    return examples;
  }
}
