package io.bellwether.policy.scoring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.onnx.proto.OnnxMl;
import ai.onnxruntime.OrtEnvironment;
import com.google.protobuf.ByteString;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NativeMemoryIT {

  private static final long MEBIBYTE = 1 << 20;

  @BeforeEach
  void needsTheProcessStatus() {
    assumeTrue(
        Files.exists(NativeMemoryProbe.STATUS),
        "resident memory is read from " + NativeMemoryProbe.STATUS);
  }

  @Test
  void twoHundredThousandScoringsOfManyShapesLeakNothing() throws Exception {
    List<Long> growth = growth("score");
    assertTrue(growth.get(0) < 10 * MEBIBYTE, () -> "grew by bytes, threads: " + growth);
  }

  @Test
  void hundredsOfReloadsOfAMebibyteLeakNeitherMemoryNorThreads() throws Exception {
    List<Long> growth = growth("reload");
    assertTrue(growth.get(0) < 20 * MEBIBYTE, () -> "grew by bytes, threads: " + growth);
    // A compiler or collector thread of the virtual machine may come late.
    assertTrue(growth.get(1) <= 2, () -> "grew by bytes, threads: " + growth);
  }

  /** Growth of resident bytes and of threads of a virtual machine of its own. */
  private static List<Long> growth(String what) throws Exception {
    String classPath =
        Stream.of(
                Scorer.class,
                NativeMemoryProbe.class,
                OrtEnvironment.class,
                OnnxMl.class,
                ByteString.class)
            .map(NativeMemoryIT::origin)
            .collect(Collectors.joining(File.pathSeparator));
    Process probe =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms128m",
                "-Xmx128m",
                "-XX:+AlwaysPreTouch",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                NativeMemoryProbe.class.getName(),
                what)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(probe.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, probe.waitFor(), output);
    return output.lines().map(Long::valueOf).toList();
  }

  private static String origin(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }
}
