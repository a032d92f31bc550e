package io.bellwether.serving.item;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.surface.Feature;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The registered items of one surface, as they change; gives an {@link ItemTable} of any moment.
 * What a table shows is copied before it changes. Confined to one thread.
 */
final class ItemRows {

  private final ItemColumns columns;
  private final Words[] words;
  private final RowsById rowsById = new RowsById();
  private Chunk[] chunks = new Chunk[0];

  /** Chunks that no published table has. */
  private final BitSet own = new BitSet();

  private int size;
  private long revision;

  ItemRows(List<Feature> features) {
    columns = new ItemColumns(features);
    words = new Words[features.size()];
    Arrays.setAll(words, i -> new Words());
  }

  /**
   * Registers or replaces an item.
   *
   * @param features as they were sent, checked
   * @param row encoded
   */
  void put(String id, JsonNode features, float[] row, long registeredAtMillis) {
    int at = rowsById.find(this::id, id);
    if (at < 0) {
      at = size++;
      Chunk chunk = writable(at);
      chunk.ids[at & Chunk.MASK] = id;
      rowsById.add(this::id, id, at);
    }
    Chunk chunk = writable(at);
    int in = at & Chunk.MASK;
    System.arraycopy(row, 0, chunk.floats, in * columns.width(), columns.width());
    chunk.registeredAtMillis[in] = registeredAtMillis;
    for (int i = 0; i < words.length; i++) {
      if (columns.words(i) > 0) {
        putWords(
            i,
            features.path(columns.features().get(i).name()),
            chunk.words,
            in * columns.words() + columns.firstWord(i));
      }
    }
  }

  private void putWords(int feature, JsonNode value, int[] target, int at) {
    Arrays.fill(target, at, at + columns.words(feature), Words.NONE);
    if (value.isTextual()) {
      target[at] = words[feature].put(value.textValue());
    }
    for (int i = 0; i < value.size(); i++) {
      target[at + i] = words[feature].put(value.get(i).textValue());
    }
  }

  /** Takes an item away, if it is there; the last one moves into its row. */
  void remove(String id) {
    int row = rowsById.find(this::id, id);
    if (row < 0) {
      return;
    }
    rowsById.remove(this::id, id);
    int last = size - 1;
    if (row != last) {
      rowsById.move(this::id, id(last), row);
      Chunk from = chunks[last >>> Chunk.SHIFT];
      Chunk to = writable(row);
      int source = last & Chunk.MASK;
      int target = row & Chunk.MASK;
      int width = columns.width();
      System.arraycopy(from.floats, source * width, to.floats, target * width, width);
      System.arraycopy(
          from.words,
          source * columns.words(),
          to.words,
          target * columns.words(),
          columns.words());
      to.registeredAtMillis[target] = from.registeredAtMillis[source];
      to.ids[target] = from.ids[source];
    }
    // Told apart from a chunk in which the row is still an item's.
    writable(last);
    size = last;
  }

  /** The items as they are now. */
  ItemTable table() {
    own.clear();
    int used = (size + Chunk.MASK) >>> Chunk.SHIFT;
    return new ItemTable(
        columns, words, Arrays.copyOf(chunks, used), size, rowsById.shards(), revision++);
  }

  private String id(int row) {
    return chunks[row >>> Chunk.SHIFT].ids[row & Chunk.MASK];
  }

  private Chunk writable(int row) {
    int number = row >>> Chunk.SHIFT;
    if (number >= chunks.length) {
      chunks = Arrays.copyOf(chunks, Math.max(number + 1, chunks.length + chunks.length / 2));
    }
    if (chunks[number] == null) {
      chunks[number] = new Chunk(columns.width(), columns.words());
    } else if (!own.get(number)) {
      chunks[number] = chunks[number].copy();
    }
    own.set(number);
    return chunks[number];
  }
}
