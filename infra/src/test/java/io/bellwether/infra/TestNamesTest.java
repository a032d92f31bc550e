package io.bellwether.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The build runs classes by the ending of their name, and skips others without a word. */
class TestNamesTest {
  private static final Pattern RUN = Pattern.compile(".*(Test|IT|Benchmark)\\.java");
  private static final Pattern HAS_TESTS =
      Pattern.compile(
          "^\\s*@(Test|TestFactory|ParameterizedTest|Property|Example|ArchTest)\\b",
          Pattern.MULTILINE);

  /** Tests that several classes share stand in an interface with default methods. */
  private static final Pattern SHARED = Pattern.compile("^(public )?interface ", Pattern.MULTILINE);

  @Test
  void everyClassWithTestsHasANameThatTheBuildRuns() throws IOException {
    List<String> skipped;
    try (Stream<Path> modules = Files.list(Path.of("..").toRealPath())) {
      skipped =
          modules
              .map(module -> module.resolve(Path.of("src", "test", "java")))
              .filter(Files::isDirectory)
              .flatMap(TestNamesTest::sources)
              .filter(source -> !RUN.matcher(source.getFileName().toString()).matches())
              .filter(TestNamesTest::hasTests)
              .map(Path::toString)
              .toList();
    }
    assertEquals(List.of(), skipped);
  }

  private static Stream<Path> sources(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasTests(Path source) {
    try {
      String text = Files.readString(source);
      return HAS_TESTS.matcher(text).find() && !SHARED.matcher(text).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
