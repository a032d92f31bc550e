package io.bellwether.loadtest.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A connection that sends what it is given and reads the status of the answer; it opens itself
 * again where the service closed it. Confined to a thread.
 */
final class HttpConnection implements AutoCloseable {

  /** The connection was closed without an answer. */
  static final int CLOSED = -1;

  /** Nothing came in time. */
  static final int SILENT = -2;

  /** An answer that is due may wait for Kafka, or for its turn. */
  private static final int PATIENCE_MILLIS = 20_000;

  /** What is no request may never be answered; nobody waits for that. */
  private static final int BROKEN_PATIENCE_MILLIS = 200;

  private static final int MAX_LINE = 1 << 16;

  private final InetSocketAddress address;
  private @Nullable Socket socket;
  private @Nullable InputStream in;

  HttpConnection(InetSocketAddress address) {
    this.address = address;
  }

  /** The status that a request was answered with, or what happened in place of an answer. */
  int send(HostileHttp.Request request) throws IOException {
    boolean reused = socket != null;
    int status = sendOnce(request);
    // The service may close a connection after any answer; then the request was not even read.
    return status == CLOSED && reused && request.whole() ? sendOnce(request) : status;
  }

  private int sendOnce(HostileHttp.Request request) throws IOException {
    Socket open = socket == null ? open() : socket;
    try {
      open.setSoTimeout(request.whole() ? PATIENCE_MILLIS : BROKEN_PATIENCE_MILLIS);
      open.getOutputStream().write(request.bytes());
      int status = readAnswer(startsWithHead(request.bytes()));
      if (!request.whole()) {
        close();
      }
      return status;
    } catch (SocketTimeoutException e) {
      close();
      return SILENT;
    } catch (IOException e) {
      close();
      return CLOSED;
    }
  }

  private Socket open() throws IOException {
    Socket opened = new Socket();
    opened.setTcpNoDelay(true);
    // Closed at once: a million connections would leave their ports waiting.
    opened.setSoLinger(true, 0);
    opened.connect(address, PATIENCE_MILLIS);
    socket = opened;
    in = new BufferedInputStream(opened.getInputStream());
    return opened;
  }

  private int readAnswer(boolean head) throws IOException {
    int status;
    int length;
    boolean chunked;
    boolean last;
    do {
      String first = line();
      if (!first.matches("HTTP/1\\.[01] [0-9]{3}.*")) {
        throw new IOException("no HTTP");
      }
      status = Integer.parseInt(first.substring(9, 12));
      length = 0;
      chunked = false;
      last = first.startsWith("HTTP/1.0");
      for (String header = line(); !header.isEmpty(); header = line()) {
        String lower = header.toLowerCase(Locale.ROOT);
        if (lower.startsWith("content-length:")) {
          length = Integer.parseInt(lower.substring(15).strip());
        }
        chunked |= lower.matches("transfer-encoding:\\s*chunked");
        last |= lower.matches("connection:\\s*close");
      }
    } while (status < 200);
    if (!head && status != 204 && status != 304) {
      skipBody(length, chunked);
    }
    if (last) {
      close();
    }
    return status;
  }

  private void skipBody(int length, boolean chunked) throws IOException {
    if (!chunked) {
      skip(length);
      return;
    }
    int size;
    do {
      size = Integer.parseInt(line().strip(), 16);
      skip(size);
      line();
    } while (size > 0);
  }

  private void skip(int bytes) throws IOException {
    if (stream().readNBytes(bytes).length < bytes) {
      throw new EOFException();
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = stream().read(); b != '\n'; b = stream().read()) {
      if (b < 0 || line.length() > MAX_LINE) {
        throw new EOFException();
      }
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  private InputStream stream() throws IOException {
    InputStream open = in;
    if (open == null) {
      throw new EOFException();
    }
    return open;
  }

  private static boolean startsWithHead(byte[] bytes) {
    return new String(bytes, 0, Math.min(5, bytes.length), ISO_8859_1).equals("HEAD ");
  }

  @Override
  public void close() throws IOException {
    Socket open = socket;
    socket = null;
    in = null;
    if (open != null) {
      open.close();
    }
  }
}
