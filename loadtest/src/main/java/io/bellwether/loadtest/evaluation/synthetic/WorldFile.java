package io.bellwether.loadtest.evaluation.synthetic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.stream.StreamSupport;

/** The chances of a world, kept as JSON beside the classes; each file names its source. */
record WorldFile(JsonNode content) {

  static WorldFile read(String file) {
    try (InputStream in = Objects.requireNonNull(WorldFile.class.getResourceAsStream(file), file)) {
      return new WorldFile(new ObjectMapper().readTree(in));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  double number(String name) {
    return content.get(name).doubleValue();
  }

  double[] vector(String name) {
    return vector(content.get(name));
  }

  double[][] matrix(String name) {
    return matrix(content.get(name));
  }

  double[][][] cube(String name) {
    return StreamSupport.stream(content.get(name).spliterator(), false)
        .map(WorldFile::matrix)
        .toArray(double[][][]::new);
  }

  private static double[][] matrix(JsonNode rows) {
    return StreamSupport.stream(rows.spliterator(), false)
        .map(WorldFile::vector)
        .toArray(double[][]::new);
  }

  private static double[] vector(JsonNode numbers) {
    return StreamSupport.stream(numbers.spliterator(), false)
        .mapToDouble(JsonNode::doubleValue)
        .toArray();
  }
}
