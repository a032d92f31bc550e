package io.bellwether.infra.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    if (file == null) {
      return;
    }
    Path target = file.toAbsolutePath();
    try {
      Path draft = target.resolveSibling(target.getFileName() + ".new");
      Files.writeString(draft, json(result));
      Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw CommandFailed.unavailable(
          "The result could not be written to " + target + ": " + e,
          "Name a file in a folder that exists and can be written.",
          e);
    }
  }

  private static String json(Object result) throws JsonProcessingException {
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(result)
        + "\n";
  }
}
