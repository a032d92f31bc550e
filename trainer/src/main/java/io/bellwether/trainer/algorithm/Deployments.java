package io.bellwether.trainer.algorithm;

import java.util.Arrays;
import java.util.List;

/**
 * The rows of several past deployments as one data set. People adapt to what they are shown, so a
 * log of the last deployment alone tells how they answer to that one policy.
 *
 * <p>Source for learning from all of them with weights that fade: "Performative reinforcement
 * learning in gradually shifting environments", UAI 2024.
 *
 * @param data all rows, in canonical order
 * @param ages per row, how many deployments ago it was logged: 0 for the newest
 */
@SuppressWarnings("ArrayRecordComponent") // shared, not compared
public record Deployments(LearnerData data, int[] ages) {

  /** What a deployment counts beside the next newer one. */
  public static final double FADING = 0.5;

  /** Where a row comes from. */
  private record Place(int age, int row, long id) {}

  /**
   * Joins them.
   *
   * @param newestFirst rows of one schema; every row id is of one deployment alone
   * @throws InvalidLearnerDataException if there is none or a row id is repeated
   */
  public static Deployments of(List<LearnerData> newestFirst) {
    int total = newestFirst.stream().mapToInt(LearnerData::rows).sum();
    if (total == 0) {
      throw new InvalidLearnerDataException("there are no rows to learn from");
    }
    Place[] places = new Place[total];
    int at = 0;
    for (int age = 0; age < newestFirst.size(); age++) {
      long[] ids = newestFirst.get(age).rowId();
      for (int row = 0; row < ids.length; row++) {
        places[at++] = new Place(age, row, ids[row]);
      }
    }
    Arrays.sort(places, (a, b) -> Long.compare(a.id, b.id));
    return new Joining(newestFirst, places).joined();
  }

  /** The same rows, weighted by {@link #FADING} to the power of their age. */
  public LearnerData faded() {
    return faded(FADING);
  }

  /** {@code each}: what a deployment counts beside the next newer one, in (0, 1]. */
  public LearnerData faded(double each) {
    if (!(each > 0 && each <= 1)) {
      throw new IllegalArgumentException("an older deployment counts in (0, 1], not " + each);
    }
    float[] weight = data.weight().clone();
    for (int row = 0; row < weight.length; row++) {
      weight[row] *= (float) Math.pow(each, ages[row]);
    }
    return new LearnerData(
        data.context(),
        data.history(),
        data.itemOffsets(),
        data.items(),
        data.closed(),
        data.action(),
        data.propensity(),
        data.rewards(),
        data.terminated(),
        data.next(),
        data.rowId(),
        weight);
  }

  /** Per row, whether it was logged more than this many deployments ago. */
  public boolean[] isOlderThan(int age) {
    boolean[] older = new boolean[ages.length];
    for (int row = 0; row < older.length; row++) {
      older[row] = ages[row] > age;
    }
    return older;
  }

  /** Copies rows to where they belong. Confined to one thread. */
  private static final class Joining {
    private final List<LearnerData> parts;
    private final Place[] places;

    Joining(List<LearnerData> parts, Place[] places) {
      this.parts = parts;
      this.places = places;
    }

    Deployments joined() {
      LearnerData to = room();
      int[] ages = new int[places.length];
      int[][] moved = moved();
      for (int row = 0; row < places.length; row++) {
        Place place = places[row];
        if (row > 0 && place.id == places[row - 1].id) {
          throw new InvalidLearnerDataException("row id " + place.id + " is in two deployments");
        }
        LearnerData from = parts.get(place.age);
        ages[row] = place.age;
        copy(from, place.row, to, row);
        int next = from.next()[place.row];
        to.next()[row] = next < 0 ? -1 : moved[place.age][next];
      }
      return new Deployments(to, ages);
    }

    private LearnerData room() {
      LearnerData one = parts.stream().filter(part -> part.rows() > 0).findFirst().orElseThrow();
      int[] offsets = new int[places.length + 1];
      for (int row = 0; row < places.length; row++) {
        Place place = places[row];
        offsets[row + 1] = offsets[row] + parts.get(place.age).candidates(place.row);
      }
      int candidates = offsets[places.length];
      return new LearnerData(
          new float[places.length * width(one.context(), one.rows())],
          new float[places.length * width(one.history(), one.rows())],
          offsets,
          new float[candidates * width(one.items(), one.closed().length)],
          new boolean[candidates],
          new int[places.length],
          new double[places.length],
          new float[places.length * width(one.rewards(), one.rows())],
          new boolean[places.length],
          new int[places.length],
          new long[places.length],
          new float[places.length]);
    }

    private int[][] moved() {
      int[][] moved = new int[parts.size()][];
      Arrays.setAll(moved, age -> new int[parts.get(age).rows()]);
      for (int row = 0; row < places.length; row++) {
        moved[places[row].age][places[row].row] = row;
      }
      return moved;
    }

    private static int width(float[] values, int count) {
      return values.length / count;
    }

    private static void copy(LearnerData from, int row, LearnerData to, int place) {
      blocks(from.context(), row, 1, to.context(), place, to.rows());
      blocks(from.history(), row, 1, to.history(), place, to.rows());
      blocks(from.rewards(), row, 1, to.rewards(), place, to.rows());
      int first = from.itemOffsets()[row];
      int target = to.itemOffsets()[place];
      int count = from.candidates(row);
      blocks(from.items(), first, count, to.items(), target, to.closed().length);
      System.arraycopy(from.closed(), first, to.closed(), target, count);
      to.action()[place] = from.action()[row];
      to.propensity()[place] = from.propensity()[row];
      to.terminated()[place] = from.terminated()[row];
      to.rowId()[place] = from.rowId()[row];
      to.weight()[place] = from.weight()[row];
    }

    /** {@code all}: how many blocks the target has. */
    private static void blocks(float[] from, int block, int count, float[] to, int place, int all) {
      int width = width(to, all);
      System.arraycopy(from, block * width, to, place * width, count * width);
    }
  }
}
