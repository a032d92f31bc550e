package io.bellwether.evaluation.support;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Dense numbers for the items that a log shows most, and one more for all the others together.
 * Immutable.
 *
 * @see ItemCounts#mostFrequent
 */
public final class ActionIndex {
  /** A covariance matrix over the items is kept: 200 of them make 160 KB. */
  public static final int MAX_ITEMS = 200;

  /** How reports call the items that have no number of their own. */
  public static final String OTHER = "other items";

  private final List<String> items;
  private final Map<String, Integer> numbers = new HashMap<>();

  private ActionIndex(List<String> items) {
    this.items = List.copyOf(items);
    for (int number = 0; number < items.size(); number++) {
      if (numbers.put(items.get(number), number) != null) {
        throw new IllegalArgumentException("item '%s' twice".formatted(items.get(number)));
      }
    }
  }

  /** Numbers the items in this order; at most {@value #MAX_ITEMS} different ones. */
  public static ActionIndex of(List<String> items) {
    if (items.size() > MAX_ITEMS) {
      throw new IllegalArgumentException(
          "%d items, at most %d can be told apart".formatted(items.size(), MAX_ITEMS));
    }
    return new ActionIndex(items);
  }

  /** The item's number, {@link #other()} if it has none of its own. */
  public int numberOf(String item) {
    Integer number = numbers.get(item);
    return number == null ? other() : number;
  }

  /** The number that stands for all other items. */
  public int other() {
    return items.size();
  }

  /** How many numbers there are, the one for all others included. */
  public int size() {
    return items.size() + 1;
  }

  public String name(int number) {
    return number == other() ? OTHER : items.get(number);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ActionIndex index && items.equals(index.items);
  }

  @Override
  public int hashCode() {
    return items.hashCode();
  }

  public void writeTo(DataOutput out) throws IOException {
    out.writeInt(items.size());
    for (String item : items) {
      out.writeUTF(item);
    }
  }

  public static ActionIndex readFrom(DataInput in) throws IOException {
    int size = in.readInt();
    List<String> items = new ArrayList<>(size);
    for (int number = 0; number < size; number++) {
      items.add(in.readUTF());
    }
    return of(items);
  }
}
