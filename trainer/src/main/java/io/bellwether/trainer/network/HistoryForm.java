package io.bellwether.trainer.network;

import java.util.Locale;

/** How a network takes in the rows of a history. */
public enum HistoryForm {
  /** The mean of the encoded rows: cheapest, and blind to their order. */
  MEAN,
  /** A gated recurrent unit, from the oldest row to the newest. */
  GRU,
  /** A weighted sum of the encoded rows whose weights are damped oscillations of a row's age. */
  STATE_SPACE,
  /** Two layers of attention among the rows, read where the newest is. */
  ATTENTION;

  /** The word for it: {@code mean}, {@code gru}, {@code state-space} or {@code attention}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The form that a word names.
   *
   * @throws IllegalArgumentException where it names none
   */
  public static HistoryForm of(String word) {
    for (HistoryForm form : values()) {
      if (form.word().equals(word)) {
        return form;
      }
    }
    throw new IllegalArgumentException(
        "no form of history is called " + word + "; there are mean, gru, state-space, attention");
  }
}
