package io.bellwether.infra.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptPortsTest {
  @TempDir Path folder;

  private KeptPorts ports() throws Exception {
    return KeptPorts.in(folder.resolve("ports.properties"));
  }

  @Test
  void aPortIsTheSameAtTheNextStart() throws Exception {
    assertEquals(ports().take("kafka"), ports().take("kafka"));
  }

  @Test
  void namesHavePortsOfTheirOwn() throws Exception {
    KeptPorts ports = ports();
    assertNotEquals(ports.take("kafka"), ports.take("redis"));
  }

  @Test
  void aPortThatSomebodyElseTookIsReplacedAndTheNewOneKept() throws Exception {
    int lost = ports().take("kafka");
    int replacement;
    try (ServerSocket other = new ServerSocket(lost, 1, InetAddress.getLoopbackAddress())) {
      replacement = ports().take("kafka");
      assertNotEquals(other.getLocalPort(), replacement);
    }
    assertEquals(replacement, ports().take("kafka"));
  }

  @Test
  void aLineThatIsNoPortIsReplaced() throws Exception {
    Files.writeString(folder.resolve("ports.properties"), "kafka=nonsense\nredis=99999\n");
    KeptPorts ports = ports();
    ports.take("kafka");
    ports.take("redis");
    assertEquals(ports.take("redis"), ports().take("redis"));
  }
}
