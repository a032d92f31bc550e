package io.bellwether.trainer.job;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.algorithm.Algorithm;
import io.bellwether.trainer.algorithm.Algorithms;
import io.bellwether.trainer.algorithm.Promise;
import io.bellwether.trainer.algorithm.Setting;
import io.bellwether.trainer.data.RowEncoder;
import io.bellwether.trainer.data.Subjects;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How a policy is trained: an algorithm of the catalogue, and what was chosen for it. Its {@link
 * #text} is what manifests have.
 *
 * @param word of the algorithm
 * @param settings those that are not as usual, by name
 */
public record TrainingMethod(String word, SortedMap<String, Double> settings)
    implements Serializable {

  private static final long serialVersionUID = 2;

  private static final Pattern FORM = Pattern.compile("([^()]*)(?:\\((.*)\\))?");

  /** Imitates the logging policy: the baseline beside every learner. */
  public static final TrainingMethod BEHAVIOUR_CLONING = new TrainingMethod("behaviour-cloning");

  /** Maximises the objective and keeps the promises. */
  public static final TrainingMethod CONSTRAINED = new TrainingMethod("constrained-actor-critic");

  /**
   * @throws IllegalArgumentException saying what there is, where algorithm or settings cannot be
   */
  public TrainingMethod {
    Algorithms.Entry entry = Algorithms.of(word);
    SortedMap<String, Double> unusual = new TreeMap<>(settings);
    entry.resolved(unusual);
    for (Setting setting : entry.settings()) {
      unusual.remove(setting.name(), setting.usual());
    }
    settings = Collections.unmodifiableSortedMap(unusual);
  }

  /** With every setting as usual. */
  public TrainingMethod(String word) {
    this(word, new TreeMap<>());
  }

  /**
   * The method of a text such as {@code constrained-actor-critic} or {@code
   * constrained-actor-critic(expectile=0.7,margin=2)}; {@code bc} and {@code constrained} are short
   * for two words.
   *
   * @throws IllegalArgumentException saying what there is, where algorithm or settings cannot be
   */
  public static TrainingMethod of(String text) {
    Matcher parts = FORM.matcher(text.strip());
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "'%s' is no way to train, expected NAME or NAME(setting=value,...)".formatted(text));
    }
    String word =
        switch (parts.group(1).strip()) {
          case "bc" -> BEHAVIOUR_CLONING.word;
          case "constrained" -> CONSTRAINED.word;
          default -> parts.group(1).strip();
        };
    String chosen = parts.group(2);
    return new TrainingMethod(word, chosen == null ? new TreeMap<>() : settings(chosen));
  }

  private static SortedMap<String, Double> settings(String text) {
    SortedMap<String, Double> settings = new TreeMap<>();
    for (String each : text.split(",", -1)) {
      int equals = each.indexOf('=');
      String name = equals < 0 ? "" : each.substring(0, equals).strip();
      if (name.isEmpty()) {
        throw new IllegalArgumentException(
            "'%s' sets nothing, expected setting=value".formatted(each.strip()));
      }
      if (settings.put(name, number(name, each.substring(equals + 1).strip())) != null) {
        throw new IllegalArgumentException(name + " is set twice");
      }
    }
    return settings;
  }

  private static double number(String name, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("%s='%s' is no number".formatted(name, text), e);
    }
  }

  /** The word, and in parentheses, by name, the settings that are not as usual. */
  public String text() {
    return settings.isEmpty()
        ? word
        : settings.entrySet().stream()
            .map(each -> each.getKey() + "=" + Setting.text(each.getValue()))
            .collect(Collectors.joining(",", word + "(", ")"));
  }

  Algorithm algorithm(double discount, List<Promise> promises) {
    return Algorithms.of(word).factory().of(new Algorithms.Task(discount, promises, settings));
  }

  /** Takes the decisions that the method can learn from. */
  RowEncoder encoder(Surface surface, Subjects subjects) {
    return Algorithms.of(word).imitates()
        ? RowEncoder.imitating(surface, subjects)
        : new RowEncoder(surface, subjects);
  }
}
