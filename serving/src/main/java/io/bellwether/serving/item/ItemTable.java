package io.bellwether.serving.item;

import io.bellwether.ingestion.feature.RegisteredItems;

/**
 * The registered items of one surface at one moment, in rows 0 to {@link #size}. Immutable and
 * thread-safe. Tables of one surface share what did not change between them, in chunks of {@value
 * Chunk#ROWS} rows: another table after one registration costs some tens of kilobytes, however many
 * items there are.
 *
 * <p>A row is an item's place in this table only: where an item is taken away, the last one moves
 * into its row.
 */
public final class ItemTable implements RegisteredItems {

  /** Rows that share a {@link #chunk}. */
  public static final int CHUNK_ROWS = Chunk.ROWS;

  private final ItemColumns columns;
  private final Words[] words;
  private final Chunk[] chunks;
  private final int size;
  private final int[][] rowsById;
  private final long revision;
  private final RowsById.Ids ids = this::id;

  ItemTable(
      ItemColumns columns,
      Words[] words,
      Chunk[] chunks,
      int size,
      int[][] rowsById,
      long revision) {
    this.columns = columns;
    this.words = words;
    this.chunks = chunks;
    this.size = size;
    this.rowsById = rowsById;
    this.revision = revision;
  }

  /** How many items there are. */
  public int size() {
    return size;
  }

  /** Counts the tables of a surface: a later one has a larger number. */
  public long revision() {
    return revision;
  }

  /** Which column and which word of a row holds what. */
  public ItemColumns columns() {
    return columns;
  }

  /** The row of an item; -1 where it is not registered. */
  public int row(String id) {
    return RowsById.find(rowsById, this::id, id);
  }

  /** The row of the item whose id these characters are; -1 where it is not registered. */
  public int row(char[] text, int from, int length) {
    return RowsById.find(rowsById, this::id, text, from, length);
  }

  /** Copies the floats of the item that is referred to; allocates nothing. */
  @Override
  public boolean copy(long reference, float[] target, int offset) {
    int row = RowsById.find(rowsById, ids, reference);
    if (row >= 0) {
      copy(row, target, offset);
    }
    return row >= 0;
  }

  /** The id of the item in a row. */
  public String id(int row) {
    return chunks[row >>> Chunk.SHIFT].ids[row & Chunk.MASK];
  }

  /** Copies a row's floats to {@code target} from {@code offset} on. */
  public void copy(int row, float[] target, int offset) {
    int width = columns.width();
    System.arraycopy(
        chunks[row >>> Chunk.SHIFT].floats, (row & Chunk.MASK) * width, target, offset, width);
  }

  /** One float of a row. */
  public float number(int column, int row) {
    return chunks[row >>> Chunk.SHIFT].floats[(row & Chunk.MASK) * columns.width() + column];
  }

  /**
   * The code of a category's text: equal exactly where the texts are, and 0 where the item has
   * none. Of a feature with several texts, the first.
   *
   * @param feature a category's number, by {@link #columns}
   */
  public int word(int feature, int row) {
    return word(feature, row, 0);
  }

  /**
   * The code of one of the texts that an item has of a feature; the free places at the end are 0.
   */
  public int word(int feature, int row, int place) {
    int at = (row & Chunk.MASK) * columns.words() + columns.firstWord(feature) + place;
    return chunks[row >>> Chunk.SHIFT].words[at];
  }

  /** The code of a text; -1 where no item has it. */
  public int code(int feature, String text) {
    return words[feature].code(text);
  }

  /** The text of a code; empty for 0. */
  public String text(int feature, int code) {
    return words[feature].text(code);
  }

  /** When the item was registered first, milliseconds since the epoch. */
  public long registeredAtMillis(int row) {
    return chunks[row >>> Chunk.SHIFT].registeredAtMillis[row & Chunk.MASK];
  }

  /**
   * The chunk that a row lies in, to be compared by identity: while another table of the same
   * surface has the same one, all of its rows are as they were. Rows from {@link #size} on are
   * free.
   */
  public Object chunk(int number) {
    return chunks[number];
  }

  /**
   * Whether a row of this table certainly is the same one, unchanged, in another of the surface.
   */
  public boolean sameRow(int row, ItemTable other) {
    int chunk = row >>> Chunk.SHIFT;
    return row < other.size && chunks[chunk] == other.chunks[chunk];
  }

  /** How many chunks there are. */
  public int chunks() {
    return chunks.length;
  }
}
