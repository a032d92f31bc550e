package io.bellwether.trainer.columns;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Which columns a scored log has, and how the tasks that score tell the one that writes: per
 * decision a message of its unit, its time, the hash of its id, its number of rows, then {@code
 * ofDecision} in order, then {@code ofRow} row after row, then the number of its id's bytes and
 * these, UTF-8; all big-endian. Immutable.
 *
 * @param ofDecision beside unit, time and id, which every log has
 * @param ofRow beside decision, position and unit, which every log has
 */
public record LogColumns(ArrayList<Column> ofDecision, ArrayList<Column> ofRow)
    implements Serializable {

  private static final long serialVersionUID = 1;

  public static final String UNIT = "unit";
  public static final String UNIT_OF_DECISION = "unitOfDecision";
  public static final String TIME = "time";
  public static final String ID = "id";
  public static final String ID_END = "idEnd";
  public static final String NEXT = "next";
  public static final String STEP = "step";
  public static final String TERMINATED = "terminated";
  public static final String LOGGER = "logger";
  public static final String SLATE_WEIGHT = "slateWeight";
  public static final String SEGMENT = "segment:";

  public static final String DECISION = "decision";
  public static final String POSITION = "position";
  public static final String LOGGING = "logging";
  public static final String TARGET = "target";
  public static final String BASELINE = "baseline";
  public static final String DIVERGENCE = "divergence";
  public static final String UNSUPPORTED = "unsupported";
  public static final String THIN = "thin";
  public static final String CLUSTER_WEIGHT = "clusterWeight";
  public static final String SLOT_WEIGHT = "slotWeight";
  public static final String BALANCED_WEIGHT = "balancedWeight";
  public static final String REWARD = "reward:";
  public static final String PREDICTION = "prediction:";
  public static final String DIRECT = "direct:";
  public static final String BASELINE_DIRECT = "baselineDirect:";

  /** Bytes of a message before the columns: unit, time, id, number of rows. */
  public static final int HEADER = 3 * Long.BYTES + Integer.BYTES;

  /**
   * What is known of a log.
   *
   * @param baseline whether a champion is the baseline
   * @param models whether there are reward models
   * @param clusters whether a feature says which items are alike
   * @param slates whether decisions have several positions
   * @param balanced whether every logger can be asked
   */
  public record Known(
      boolean baseline, boolean models, boolean clusters, boolean slates, boolean balanced) {}

  /** The columns of a log of which so much is known. */
  public static LogColumns of(Known known, List<String> signals, List<String> segments) {
    ArrayList<Column> ofDecision = new ArrayList<>();
    ofDecision.add(Column.longs(NEXT));
    ofDecision.add(Column.ints(STEP));
    ofDecision.add(Column.ints(TERMINATED));
    ofDecision.add(Column.ints(LOGGER));
    if (known.slates) {
      ofDecision.add(Column.doublesOrUnknown(SLATE_WEIGHT));
    }
    segments.forEach(segment -> ofDecision.add(Column.ints(SEGMENT + segment)));
    ArrayList<Column> ofRow = new ArrayList<>();
    ofRow.add(Column.doubles(LOGGING));
    ofRow.add(Column.doubles(TARGET));
    if (known.baseline) {
      ofRow.add(Column.doubles(BASELINE));
    }
    ofRow.add(Column.doublesOrUnknown(DIVERGENCE));
    ofRow.add(Column.doublesOrUnknown(UNSUPPORTED));
    ofRow.add(Column.doublesOrUnknown(THIN));
    if (known.clusters) {
      ofRow.add(Column.doublesOrUnknown(CLUSTER_WEIGHT));
    }
    if (known.slates) {
      ofRow.add(Column.doublesOrUnknown(SLOT_WEIGHT));
    }
    if (known.balanced) {
      ofRow.add(Column.doublesOrUnknown(BALANCED_WEIGHT));
    }
    for (String signal : signals) {
      ofRow.add(Column.doubles(REWARD + signal));
      if (known.models) {
        ofRow.add(Column.doubles(PREDICTION + signal));
        ofRow.add(Column.doubles(DIRECT + signal));
        if (known.baseline) {
          ofRow.add(Column.doubles(BASELINE_DIRECT + signal));
        }
      }
    }
    return new LogColumns(ofDecision, ofRow);
  }

  /** Length of a message. */
  public int bytes(int rows, int idBytes) {
    return HEADER + width(ofDecision) + rows * width(ofRow) + Integer.BYTES + idBytes;
  }

  private static int width(List<Column> columns) {
    return columns.stream().mapToInt(column -> column.kind().bytes()).sum();
  }
}
