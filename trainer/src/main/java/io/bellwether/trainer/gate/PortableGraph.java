package io.bellwether.trainer.gate;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Scorer;
import java.io.Serializable;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A graph that travels as bytes and opens where it is first asked. Owns the scorer that it opened.
 * Thread-safe.
 */
final class PortableGraph implements Serializable, AutoCloseable {

  private static final long serialVersionUID = 1;

  private final byte[] bytes;
  private final String digest;
  private final int contextWidth;
  private final int historyLength;
  private final int historyWidth;
  private final int itemWidth;
  private final ArrayList<String> signals;
  private transient @Nullable Scorer scorer;

  PortableGraph(byte[] bytes, FeatureSchema schema) {
    this.bytes = bytes.clone();
    this.digest = schema.digest();
    this.contextWidth = schema.contextWidth();
    this.historyLength = schema.historyLength();
    this.historyWidth = schema.historyWidth();
    this.itemWidth = schema.itemWidth();
    this.signals = new ArrayList<>(schema.signals());
  }

  /** Open until {@link #close}. */
  synchronized Scorer scorer() {
    if (scorer == null) {
      scorer =
          Scorer.open(
              bytes,
              new FeatureSchema(
                  digest, contextWidth, historyLength, historyWidth, itemWidth, signals));
    }
    return scorer;
  }

  @Override
  public synchronized void close() {
    if (scorer != null) {
      scorer.close();
      scorer = null;
    }
  }
}
