package io.bellwether.ingestion.feature;

import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Surface;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Which column of the encoded context, history and items holds what, derived from a surface alone:
 * the same declaration gives the same layout in serving, training and evaluation. Immutable.
 *
 * <p>A number takes two columns, its value and whether it was given (a missing one is 0, 0); a flag
 * one; a category one, holding an id (0 = missing); categories {@code max}, padded with 0; a vector
 * one per component (a missing one is all zeros).
 *
 * @param context columns of the context, in order
 * @param history columns of one history row: {@code valid}, {@code gap} (ln(1 + seconds) before the
 *     decision), the item's columns, then one NUMBER per history signal
 * @param historyLength rows of the history
 * @param item columns of an item, in order
 * @param signals all signal names of the surface, in order; the order of a policy's values
 * @param digest SHA-256, hex, over the names, kinds, cardinalities and listed values: two layouts
 *     with the same digest read each other's rows
 */
public record FeatureLayout(
    List<Column> context,
    List<Column> history,
    int historyLength,
    List<Column> item,
    List<String> signals,
    String digest) {

  public FeatureLayout {
    context = List.copyOf(context);
    history = List.copyOf(history);
    item = List.copyOf(item);
    signals = List.copyOf(signals);
  }

  /** The layout of a surface. */
  public static FeatureLayout of(Surface surface) {
    List<Column> context = columns(surface.context());
    List<Column> item = columns(surface.item());
    List<Column> history = new ArrayList<>();
    int historyLength = surface.history().last();
    if (historyLength > 0) {
      history.add(Column.flag("valid"));
      history.add(Column.number("gap"));
      history.addAll(item);
      surface.history().signals().forEach(s -> history.add(Column.number("signal:" + s)));
    }
    List<String> signals = surface.signals().stream().map(s -> s.name()).toList();
    String text =
        "context"
            + context
            + "history"
            + historyLength
            + history
            + "item"
            + item
            + "signals"
            + signals
            + listed(surface.context())
            + listed(surface.item());
    return new FeatureLayout(context, history, historyLength, item, signals, sha256(text));
  }

  /** Floats of an encoded context. */
  public int contextWidth() {
    return context.size();
  }

  /** Floats of one history row. */
  public int historyWidth() {
    return history.size();
  }

  /** Floats of an encoded item. */
  public int itemWidth() {
    return item.size();
  }

  private static List<Column> columns(List<Feature> features) {
    List<Column> columns = new ArrayList<>();
    for (Feature feature : features) {
      String name = feature.name();
      if (feature instanceof Feature.Number) {
        columns.add(Column.number(name));
        columns.add(Column.flag(name + ":given"));
      } else if (feature instanceof Feature.Flag) {
        columns.add(Column.flag(name));
      } else if (feature instanceof Feature.Category category) {
        columns.add(Column.category(name, cardinality(category.values(), category.buckets())));
      } else if (feature instanceof Feature.Categories many) {
        for (int i = 0; i < many.max(); i++) {
          columns.add(Column.category(name + ":" + i, cardinality(many.values(), many.buckets())));
        }
      } else if (feature instanceof Feature.Vector vector) {
        for (int i = 0; i < vector.size(); i++) {
          columns.add(Column.number(name + ":" + i));
        }
      }
    }
    return columns;
  }

  /** The values whose places in their lists are their ids; empty where none are listed. */
  private static String listed(List<Feature> features) {
    StringBuilder listed = new StringBuilder();
    for (Feature feature : features) {
      List<String> values = List.of();
      if (feature instanceof Feature.Category category) {
        values = category.values();
      } else if (feature instanceof Feature.Categories many) {
        values = many.values();
      }
      if (!values.isEmpty()) {
        listed.append(feature.name());
        values.forEach(v -> listed.append(v.length()).append(':').append(v));
      }
    }
    return listed.toString();
  }

  /** Ids of a category: 0 for missing, then the listed values or the buckets. */
  private static int cardinality(List<String> values, int buckets) {
    return 1 + (values.isEmpty() ? buckets : values.size());
  }

  private static String sha256(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
