package io.bellwether.ingestion.evolution;

import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * One difference between two declarations of a surface.
 *
 * @param field where in the declaration, such as {@code item.topic}
 * @param compatible whether what was logged under the earlier one can be used under the later one
 * @param what has changed, and what that means for logged decisions; of an incompatible change also
 *     what to do instead
 */
public record SurfaceChange(String field, boolean compatible, String what) {

  private static final String NEW_NAME =
      "; keep the old feature or drop it, and give the new one a name of its own";

  /**
   * All differences that matter to logged decisions, in the order of the declaration.
   *
   * @param before the declaration under which decisions were logged
   * @param after the one that is to be in force
   */
  public static List<SurfaceChange> between(Surface before, Surface after) {
    List<SurfaceChange> changes = new ArrayList<>();
    if (!before.name().equals(after.name())) {
      changes.add(
          refused(
              "surface",
              "is "
                  + after.name()
                  + " in place of "
                  + before.name()
                  + ": another surface, which"
                  + " begins with a log of its own"));
      return changes;
    }
    changed("slate.size", before.slateSize(), after.slateSize(), changes);
    changed("slate.candidates.max", before.maxCandidates(), after.maxCandidates(), changes);
    features("context", before.context(), after.context(), changes);
    history(before, after, changes);
    features("item", before.item(), after.item(), changes);
    signals(before, after, changes);
    changed("objective", before.objective(), after.objective(), changes);
    changed("constraints", before.constraints(), after.constraints(), changes);
    changed("exploration", before.exploration(), after.exploration(), changes);
    sessions(before, after, changes);
    return List.copyOf(changes);
  }

  /** Whether everything that was logged before can be used after. */
  public static boolean areCompatible(List<SurfaceChange> changes) {
    return changes.stream().allMatch(SurfaceChange::compatible);
  }

  /** One line. */
  public String words() {
    return field + ": " + what;
  }

  private static SurfaceChange accepted(String field, String what) {
    return new SurfaceChange(field, true, what);
  }

  private static SurfaceChange refused(String field, String what) {
    return new SurfaceChange(field, false, what);
  }

  private static void changed(
      String field, Object before, Object after, List<SurfaceChange> changes) {
    if (!Objects.equals(before, after)) {
      changes.add(accepted(field, "has changed; what was logged stays as it is"));
    }
  }

  private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
    Map<String, T> named = new LinkedHashMap<>();
    all.forEach(each -> named.put(name.apply(each), each));
    return named;
  }

  private static void features(
      String block, List<Feature> before, List<Feature> after, List<SurfaceChange> changes) {
    Map<String, Feature> old = byName(before, Feature::name);
    Map<String, Feature> now = byName(after, Feature::name);
    old.forEach(
        (name, feature) -> {
          if (!now.containsKey(name)) {
            changes.add(accepted(block + "." + name, "is dropped, and left out of earlier rows"));
          }
        });
    now.forEach(
        (name, feature) -> {
          Feature was = old.get(name);
          if (was == null) {
            changes.add(accepted(block + "." + name, "is new, and missing in earlier rows"));
          } else if (!was.equals(feature)) {
            changes.add(feature(block + "." + name, was, feature));
          }
        });
    List<String> kept = before.stream().map(Feature::name).filter(now::containsKey).toList();
    List<String> keptNow = after.stream().map(Feature::name).filter(old::containsKey).toList();
    if (!kept.equals(keptNow)) {
      changes.add(accepted(block, "has another order; earlier rows are put into it"));
    }
  }

  private static SurfaceChange feature(String field, Feature was, Feature now) {
    if (!was.getClass().equals(now.getClass())) {
      return refused(
          field,
          "was a "
              + type(was)
              + " and is a "
              + type(now)
              + ": earlier values have no meaning in the new type"
              + NEW_NAME);
    }
    if (was instanceof Feature.Vector old && now instanceof Feature.Vector vector) {
      return refused(
          field,
          "has "
              + vector.size()
              + " components in place of "
              + old.size()
              + ": components of another vector mean something else"
              + NEW_NAME);
    }
    if (was instanceof Feature.Number) {
      return accepted(field, "has another range; earlier values stay as they are");
    }
    boolean listed = !Categories.of(was).values().isEmpty();
    if (Categories.of(was).equals(Categories.of(now))) {
      return accepted(field, "holds another number of values; of earlier rows the first are kept");
    }
    return accepted(
        field,
        listed
            ? "has other values; earlier ones are numbered again"
            : "has other values or buckets; earlier ones are numbered again from what was sent, and"
                + " are missing for registered items and in histories, which have only the hash");
  }

  private static String type(Feature feature) {
    if (feature instanceof Feature.Number) {
      return "number";
    }
    if (feature instanceof Feature.Flag) {
      return "flag";
    }
    if (feature instanceof Feature.Category) {
      return "category";
    }
    return feature instanceof Feature.Categories ? "list of categories" : "vector";
  }

  private static void history(Surface before, Surface after, List<SurfaceChange> changes) {
    int was = before.history().last();
    int now = after.history().last();
    if (was != now) {
      changes.add(
          accepted(
              "history.last",
              now < was
                  ? "keeps " + now + " in place of " + was + "; of earlier rows the newest"
                  : "keeps "
                      + now
                      + " in place of "
                      + was
                      + "; earlier rows have no more than they"
                      + " had"));
    }
    if (!before.history().signals().equals(after.history().signals())) {
      changes.add(
          accepted(
              "history.signals", "has changed; new ones are 0 in the history of earlier rows"));
    }
  }

  private static void signals(Surface before, Surface after, List<SurfaceChange> changes) {
    Map<String, Signal> old = byName(before.signals(), Signal::name);
    Map<String, Signal> now = byName(after.signals(), Signal::name);
    old.forEach(
        (name, signal) -> {
          if (!now.containsKey(name)) {
            changes.add(
                accepted(
                    "signals." + name,
                    "is dropped; its outcomes stay in the log and do not count"));
          }
        });
    now.forEach(
        (name, signal) -> {
          Signal was = old.get(name);
          if (was == null) {
            changes.add(
                accepted(
                    "signals." + name,
                    signal.isSilence()
                        ? "is new, and follows from what earlier decisions hold"
                        : "is new; no earlier decision has any of it"));
          } else if (!was.equals(signal)) {
            changes.add(signal("signals." + name, was, signal));
          }
        });
  }

  private static SurfaceChange signal(String field, Signal was, Signal now) {
    if (was.type() == Signal.Type.NUMBER && now.type() == Signal.Type.FLAG) {
      return refused(
          field,
          "was a number and is a flag: what was observed is neither 0 nor 1; declare the flag under"
              + " a name of its own");
    }
    if (was.isSilence() != now.isSilence()) {
      return refused(
          field,
          "is "
              + (now.isSilence() ? "derived and was sent" : "sent and was derived")
              + ": one name for two things; declare it under a name of its own");
    }
    List<String> what = new ArrayList<>();
    if (was.type() != now.type()) {
      what.add("is a number and was a flag, whose values it takes");
    }
    if (was.min() < now.min() || was.max() > now.max()) {
      what.add("takes less; earlier values outside do not count any more");
    } else if (was.min() != now.min() || was.max() != now.max()) {
      what.add("takes more; what was refused earlier stays refused");
    }
    int longer = now.window().compareTo(was.window());
    if (longer != 0) {
      what.add(
          longer > 0
              ? "has a longer window; earlier outcomes that came too late count again where they"
                  + " are kept"
              : "has a shorter window; earlier outcomes after it do not count any more");
    }
    if (was.aggregate() != now.aggregate() || !was.silenceOf().equals(now.silenceOf())) {
      what.add("is computed otherwise, for earlier decisions too");
    }
    return accepted(field, String.join(", ", what));
  }

  private static void sessions(Surface before, Surface after, List<SurfaceChange> changes) {
    if (!before.sessions().equals(after.sessions())) {
      changes.add(
          accepted(
              "sessions", "have changed; earlier decisions stay in the sessions they were in"));
    }
  }
}
