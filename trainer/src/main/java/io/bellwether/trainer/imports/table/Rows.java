package io.bellwether.trainer.imports.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of a table, whatever its format. Confined to one thread. */
public interface Rows extends AutoCloseable {

  /**
   * One row.
   *
   * @param line 1-based number of its first line, or of the row
   * @param values by column; empty where there is a problem
   * @param text its beginning
   * @param problem why it cannot be read; null where it can
   */
  record Row(long line, ObjectNode values, String text, @Nullable String problem) {}

  /** The name of the file. */
  String file();

  /** The columns; empty where rows may have different ones. */
  Optional<List<String>> columns();

  /** The next row, null after the last. */
  @Nullable Row next() throws IOException;

  /** How much was read, in [0, 1]. */
  double progress();

  @Override
  void close() throws IOException;
}
