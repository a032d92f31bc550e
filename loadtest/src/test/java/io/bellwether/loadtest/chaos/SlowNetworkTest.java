package io.bellwether.loadtest.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // start() fills the fields
class SlowNetworkTest {

  private ServerSocket echo;
  private SlowNetwork network;

  @BeforeEach
  void start() throws IOException {
    echo = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Thread server = new Thread(this::answer, "echo");
    server.setDaemon(true);
    server.start();
    network = SlowNetwork.to(echo::getLocalPort);
  }

  @AfterEach
  void stop() throws IOException {
    network.close();
    echo.close();
  }

  private void answer() {
    while (!echo.isClosed()) {
      try (Socket client = echo.accept()) {
        client.getInputStream().transferTo(client.getOutputStream());
      } catch (IOException over) {
        // The next one may come.
      }
    }
  }

  @Test
  void whatIsSentComesThroughAndBack() throws IOException {
    try (Socket client = connect()) {
      assertEquals(7, echoed(client, 7));
      assertEquals(8, echoed(client, 8));
    }
  }

  @Test
  void eachDirectionIsHeldUp() throws IOException {
    network.slow(Duration.ofMillis(30));
    try (Socket client = connect()) {
      long sent = System.nanoTime();
      assertEquals(7, echoed(client, 7));
      assertTrue(System.nanoTime() - sent >= Duration.ofMillis(60).toNanos());
    }
  }

  @Test
  void aCutBreaksConnectionsUntilItIsHealed() throws IOException {
    try (Socket client = connect()) {
      assertEquals(7, echoed(client, 7));
      network.cut();
      assertEquals(-1, echoed(client, 7));
    }
    try (Socket client = connect()) {
      assertEquals(-1, echoed(client, 7));
    }
    network.heal();
    try (Socket client = connect()) {
      assertEquals(7, echoed(client, 7));
    }
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), network.port());
  }

  /** What came back; -1 where the connection broke. */
  private static int echoed(Socket client, int value) {
    try {
      client.getOutputStream().write(value);
      return client.getInputStream().read();
    } catch (IOException broken) {
      return -1;
    }
  }
}
