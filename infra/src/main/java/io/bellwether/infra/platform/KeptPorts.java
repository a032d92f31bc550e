package io.bellwether.infra.platform;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports of the loopback address by name, remembered in a file, so that a restart has the same
 * addresses as long as nobody else took them. Confined to one thread, and to one process per file.
 */
public final class KeptPorts {
  /**
   * Below the range from which systems give ports to outgoing connections: a kept port is unlikely
   * to be taken between two starts.
   */
  private static final int LOWEST = 20_000;

  private static final int HIGHEST = 32_000;

  /** Finding this many ports taken in a row means that something else is wrong. */
  private static final int ATTEMPTS = 200;

  private final Path file;
  private final Properties kept;

  private KeptPorts(Path file, Properties kept) {
    this.file = file;
    this.kept = kept;
  }

  /** Ports kept in this file, which need not exist yet. */
  public static KeptPorts in(Path file) throws IOException {
    Properties kept = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      kept.load(reader);
    } catch (NoSuchFileException firstStart) {
      Files.createDirectories(file.toAbsolutePath().getParent());
    }
    return new KeptPorts(file, kept);
  }

  /** The port kept under this name if it is free now, otherwise a new one, kept from now on. */
  public int take(String name) throws IOException {
    int port = kept(name);
    return port > 0 && free(port) ? port : replace(name);
  }

  /** The same, except that a first port is the preferred one, if that is free. */
  public int take(String name, int preferred) throws IOException {
    if (kept(name) == 0 && free(preferred)) {
      kept.setProperty(name, Integer.toString(preferred));
      save();
    }
    return take(name);
  }

  /** A new free port under this name, for when the kept one was lost after all. */
  public int replace(String name) throws IOException {
    int old = kept(name);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (port != old && !kept.containsValue(Integer.toString(port)) && free(port)) {
        kept.setProperty(name, Integer.toString(port));
        save();
        return port;
      }
    }
    throw new IOException("No free port between " + LOWEST + " and " + HIGHEST);
  }

  /** Whether a server could listen on this port of the loopback address now. */
  public static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException | IllegalArgumentException taken) {
      return false;
    }
  }

  private int kept(String name) {
    String port = kept.getProperty(name, "0");
    return port.matches("\\d{1,5}") ? Integer.parseInt(port) : 0;
  }

  private void save() throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try (Writer writer = Files.newBufferedWriter(draft)) {
      kept.store(writer, "Loopback ports of this data folder; remove the file to draw new ones");
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
