package io.bellwether.policy.scoring;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes rules that no slate can keep into ones that some slate can, by giving up as little as the
 * order of importance allows: pins before leasts, leasts before mosts, mosts before distances, and
 * of one kind the earlier declared first. Each is kept as far as it goes together with all that are
 * more important: a most is raised and a least or a distance lowered one by one. Mutable inside and
 * confined to one thread.
 */
public final class RuleFit {

  /**
   * Classes of candidates that all searches for what can be kept may look at together, some ten
   * milliseconds at worst, and the share of what is left that one of them may. What is not shown to
   * be possible by then is given up.
   */
  private static final long PATIENCE = 1_000_000;

  private static final int SHARES = 4;

  private final OpenCandidates open = new OpenCandidates();

  /** What a rule bounds. */
  public enum Bound {
    PIN,
    AT_LEAST,
    AT_MOST,
    APART
  }

  /**
   * A rule that could not be kept in full.
   *
   * @param bound what it bounds
   * @param index of the pin or of the grouping
   * @param group of the grouping, where it asks for a least; otherwise {@link SlateRules#NO_GROUP}
   * @param wanted number that was asked for; a pin's position
   * @param kept number that is kept instead; -1 for a pin
   */
  public record Relaxed(Bound bound, int index, int group, int wanted, int kept) {}

  /**
   * Rules that can be kept.
   *
   * @param relaxed what was given up, in the order in which it was
   */
  public record Fitted(SlateRules rules, List<Relaxed> relaxed) {
    public Fitted {
      relaxed = List.copyOf(relaxed);
    }
  }

  /**
   * Fits rules to the candidates of a request.
   *
   * @param size positions to fill, at most the number of candidates
   */
  public Fitted fit(SlateRules rules, int candidates, int size) {
    if (rules.isNone() || (pinsStand(rules, size) && open.canKeep(rules, candidates, size))) {
      return new Fitted(rules, List.of());
    }
    return new Fitting(rules, candidates, size).fitted();
  }

  private static boolean pinsStand(SlateRules rules, int size) {
    return rules.pins().stream().allMatch(pin -> pin.position() < size);
  }

  private final class Fitting {

    private final SlateRules wanted;
    private final int candidates;
    private final int size;
    private final List<SlateRules.Pin> pins = new ArrayList<>();
    private final List<SlateRules.Grouping> groupings = new ArrayList<>();
    private final List<Relaxed> relaxed = new ArrayList<>();
    private long patience = PATIENCE;

    Fitting(SlateRules wanted, int candidates, int size) {
      this.wanted = wanted;
      this.candidates = candidates;
      this.size = size;
      wanted
          .groupings()
          .forEach(
              grouping ->
                  groupings.add(
                      grouping.with(SlateRules.ANY_NUMBER, 0, new int[grouping.atLeast().length])));
    }

    Fitted fitted() {
      for (int i = 0; i < wanted.pins().size(); i++) {
        addPin(i);
      }
      for (int g = 0; g < groupings.size(); g++) {
        addLeasts(g);
      }
      for (int g = 0; g < groupings.size(); g++) {
        addMost(g);
      }
      for (int g = 0; g < groupings.size(); g++) {
        addDistance(g);
      }
      return new Fitted(new SlateRules(pins, groupings), relaxed);
    }

    private void addPin(int index) {
      SlateRules.Pin pin = wanted.pins().get(index);
      pins.add(pin);
      if (pin.position() >= size || !canKeep()) {
        pins.remove(pins.size() - 1);
        relaxed.add(new Relaxed(Bound.PIN, index, SlateRules.NO_GROUP, pin.position(), -1));
      }
    }

    private void addLeasts(int g) {
      int[] least = wanted.groupings().get(g).atLeast();
      for (int group = 0; group < least.length; group++) {
        int kept = Math.min(least[group], size);
        while (kept > 0 && !canKeepLeast(g, group, kept)) {
          kept--;
        }
        int[] soFar = groupings.get(g).atLeast().clone();
        soFar[group] = kept;
        groupings.set(g, groupings.get(g).with(SlateRules.ANY_NUMBER, 0, soFar));
        note(Bound.AT_LEAST, g, group, least[group], kept);
      }
    }

    private boolean canKeepLeast(int g, int group, int number) {
      SlateRules.Grouping before = groupings.get(g);
      int[] least = before.atLeast().clone();
      least[group] = number;
      return canKeepInstead(g, before.with(before.atMost(), before.apart(), least));
    }

    private void addMost(int g) {
      SlateRules.Grouping soFar = groupings.get(g);
      int most = wanted.groupings().get(g).atMost();
      int kept = most;
      while (kept < size && !canKeepInstead(g, soFar.with(kept, 0, soFar.atLeast()))) {
        kept++;
      }
      groupings.set(g, soFar.with(kept, 0, soFar.atLeast()));
      note(Bound.AT_MOST, g, SlateRules.NO_GROUP, most, kept);
    }

    private void addDistance(int g) {
      SlateRules.Grouping soFar = groupings.get(g);
      int apart = wanted.groupings().get(g).apart();
      int kept = apart;
      while (kept > 0 && !canKeepInstead(g, soFar.with(soFar.atMost(), kept, soFar.atLeast()))) {
        kept--;
      }
      groupings.set(g, soFar.with(soFar.atMost(), kept, soFar.atLeast()));
      note(Bound.APART, g, SlateRules.NO_GROUP, apart, kept);
    }

    private void note(Bound bound, int g, int group, int asked, int kept) {
      if (kept != asked) {
        relaxed.add(new Relaxed(bound, g, group, asked, kept));
      }
    }

    private boolean canKeepInstead(int g, SlateRules.Grouping grouping) {
      SlateRules.Grouping before = groupings.set(g, grouping);
      boolean can = canKeep();
      groupings.set(g, before);
      return can;
    }

    private boolean canKeep() {
      boolean can =
          open.canKeep(new SlateRules(pins, groupings), candidates, size, patience / SHARES);
      patience -= open.steps();
      return can;
    }
  }
}
