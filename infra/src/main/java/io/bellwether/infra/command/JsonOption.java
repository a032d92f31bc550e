package io.bellwether.infra.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --json}: the result of a verb as a file with stable keys, for scripts. */
final class JsonOption {
  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the result to this file, as JSON.")
  private @Nullable Path file;

  /** Writes the result if the option was given: the whole file or nothing. */
  void write(Object result) {
    if (file != null) {
      write(file, result);
    }
  }

  /** Writes a result in the form of this option, where no option names the file. */
  static void write(Path file, Object result) {
    WholeFile.write(file, (json(result) + "\n").getBytes(UTF_8));
  }

  private static String json(Object result) {
    try {
      return new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          // Immutable maps have another order in each process.
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON can be made of " + result.getClass(), e);
    }
  }
}
