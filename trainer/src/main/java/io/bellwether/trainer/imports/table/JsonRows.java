package io.bellwether.trainer.imports.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.Lines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of a file with one JSON object a line. Confined to one thread. */
public final class JsonRows implements Rows {

  private static final int MAX_DEPTH = 64;

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxStringLength(Lines.MAX_LINE_BYTES)
                          .build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final Lines lines;

  private JsonRows(Lines lines) {
    this.lines = lines;
  }

  /** The rows of a file, plain or gzipped; whoever calls closes them. */
  public static JsonRows open(Path file) throws IOException {
    return new JsonRows(Lines.open(file));
  }

  @Override
  public String file() {
    return lines.file();
  }

  @Override
  public Optional<List<String>> columns() {
    return Optional.empty();
  }

  @Override
  public @Nullable Row next() throws IOException {
    Lines.Line line = lines.next();
    while (line != null && line.problem() == null && line.text().isBlank()) {
      line = lines.next();
    }
    if (line == null) {
      return null;
    }
    String text = line.text();
    String excerpt =
        text.length() <= Lines.MAX_EXCERPT ? text : text.substring(0, Lines.MAX_EXCERPT);
    if (line.problem() != null) {
      return new Row(line.number(), JsonNodeFactory.instance.objectNode(), excerpt, line.problem());
    }
    try {
      JsonNode value = JSON.readTree(text);
      if (value instanceof ObjectNode object) {
        return new Row(line.number(), object, excerpt, null);
      }
      return refused(line, excerpt, "is no JSON object");
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : " at column " + e.getLocation().getColumnNr();
      return refused(line, excerpt, "is no JSON" + where + ": " + e.getOriginalMessage());
    }
  }

  private static Row refused(Lines.Line line, String excerpt, String problem) {
    return new Row(line.number(), JsonNodeFactory.instance.objectNode(), excerpt, problem);
  }

  @Override
  public double progress() {
    return lines.progress();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
