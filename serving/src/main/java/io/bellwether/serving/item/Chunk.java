package io.bellwether.serving.item;

/**
 * {@link #ROWS} neighbouring rows of an {@link ItemTable}: {@code floats[row * width + column]} and
 * {@code words[row * words + place]}. Written by one thread before it is published, and never
 * afterwards: a later table has another chunk in its place, and shares the ones that did not
 * change.
 */
final class Chunk {

  static final int SHIFT = 8;
  static final int ROWS = 1 << SHIFT;
  static final int MASK = ROWS - 1;

  final String[] ids;
  final float[] floats;
  final int[] words;
  final long[] registeredAtMillis;

  Chunk(int width, int words) {
    this.ids = new String[ROWS];
    this.floats = new float[ROWS * width];
    this.words = new int[ROWS * words];
    this.registeredAtMillis = new long[ROWS];
  }

  private Chunk(Chunk other) {
    ids = other.ids.clone();
    floats = other.floats.clone();
    words = other.words.clone();
    registeredAtMillis = other.registeredAtMillis.clone();
  }

  Chunk copy() {
    return new Chunk(this);
  }
}
