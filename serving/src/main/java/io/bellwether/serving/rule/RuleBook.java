package io.bellwether.serving.rule;

import io.bellwether.ingestion.event.Grouping;
import io.bellwether.ingestion.event.Masked;
import io.bellwether.ingestion.event.Pin;
import io.bellwether.ingestion.event.RuleTrace;
import io.bellwether.ingestion.surface.Rules;
import io.bellwether.ingestion.surface.Rules.FrequencyCap;
import io.bellwether.ingestion.surface.Rules.GroupRule;
import io.bellwether.ingestion.surface.Rules.Kind;
import io.bellwether.policy.scoring.RuleFit;
import io.bellwether.policy.scoring.SlateRules;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.surface.DeclaredSurface;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the rules of a surface and of a request for the request's candidates: leaves out who may
 * not be shown, numbers groups, and gives up what no slate can keep. Costs nothing where there are
 * no rules. Mutable inside (memory that is reused) and confined to one thread.
 *
 * <p>A request's bound takes the place of the surface's on the same items. Masks hold whatever they
 * leave; caps hold unless they would leave nobody; the rest is {@link RuleFit}'s order.
 */
public final class RuleBook {

  private static final String CAP = "frequency-cap";

  private final RuleFit fit = new RuleFit();

  /**
   * What the rules are about. The arrays are not copied.
   *
   * @param ids of the candidates
   * @param items their encoded features, {@code [candidates * itemWidth]}
   * @param slateSize positions to fill, at most
   * @param history encoded, {@code [historyLength * historyWidth]}
   * @param historyMissing whether there may be a history that could not be read
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Case(
      DeclaredSurface surface,
      List<String> ids,
      float[] items,
      int slateSize,
      float[] history,
      boolean historyMissing) {}

  /**
   * Compiles.
   *
   * @throws ProblemException 400 where the request's masks leave no candidate
   */
  public Compiled compile(AskedRules asked, Case of) {
    Rules declared = of.surface.surface().rules();
    if (asked.isNone() && declared.isNone()) {
      return Compiled.NONE;
    }
    List<String> relaxed = new ArrayList<>();
    @Nullable String[] reasons = masks(asked, of);
    cap(declared, of, reasons, relaxed);
    int[] kept = kept(reasons);
    List<SlateRules.Pin> pins = new ArrayList<>();
    List<AskedRules.PinAt> asPinned = new ArrayList<>();
    readPins(asked, of, kept, pins, asPinned, relaxed);
    List<Grouped> grouped = grouped(asked, declared, of, kept);
    RuleFit.Fitted fitted =
        fit.fit(
            new SlateRules(pins, grouped.stream().map(Grouped::grouping).toList()),
            kept.length,
            Math.min(of.slateSize, kept.length));
    fitted.relaxed().forEach(each -> relaxed.add(words(each, asPinned, grouped)));
    return new Compiled(
        kept.length == reasons.length ? null : kept,
        fitted.rules(),
        trace(fitted.rules(), of, reasons, relaxed));
  }

  /** Per candidate, why the request does not want it shown; null where it does. */
  private static @Nullable String[] masks(AskedRules asked, Case of) {
    @Nullable String[] reasons = new String[of.ids.size()];
    boolean anyLeft = false;
    for (int i = 0; i < reasons.length; i++) {
      reasons[i] = asked.masks().get(of.ids.get(i));
      anyLeft |= reasons[i] == null;
    }
    if (!anyLeft) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST, "The masks of the request leave no candidate to show.");
    }
    return reasons;
  }

  private static void cap(
      Rules declared, Case of, @Nullable String[] reasons, List<String> relaxed) {
    if (declared.caps().isEmpty()) {
      return;
    }
    if (of.historyMissing) {
      relaxed.add(CAP + ": the history could not be read");
      return;
    }
    FrequencyCaps caps = new FrequencyCaps(of.surface, of.history);
    int width = of.surface.layout().itemWidth();
    @Nullable String[] capped = reasons.clone();
    boolean anyLeft = false;
    for (int i = 0; i < capped.length; i++) {
      for (FrequencyCap each : declared.caps()) {
        if (capped[i] == null && caps.isReached(each, of.items, i * width)) {
          capped[i] = each.feature().map(feature -> CAP + "." + feature).orElse(CAP);
        }
      }
      anyLeft |= capped[i] == null;
    }
    if (anyLeft) {
      System.arraycopy(capped, 0, reasons, 0, capped.length);
    } else {
      relaxed.add(CAP + ": it would leave no candidate");
    }
  }

  private static int[] kept(@Nullable String[] reasons) {
    int[] kept = new int[reasons.length];
    int count = 0;
    for (int i = 0; i < reasons.length; i++) {
      if (reasons[i] == null) {
        kept[count++] = i;
      }
    }
    return Arrays.copyOf(kept, count);
  }

  private static void readPins(
      AskedRules asked,
      Case of,
      int[] kept,
      List<SlateRules.Pin> pins,
      List<AskedRules.PinAt> asPinned,
      List<String> relaxed) {
    for (AskedRules.PinAt pin : asked.pins()) {
      int candidate = -1;
      for (int i = 0; i < kept.length; i++) {
        if (of.ids.get(kept[i]).equals(pin.candidateId())) {
          candidate = i;
        }
      }
      if (candidate < 0) {
        relaxed.add("pin %s at %d: no candidate".formatted(pin.candidateId(), pin.position()));
      } else {
        pins.add(new SlateRules.Pin(pin.position(), candidate));
        asPinned.add(pin);
      }
    }
  }

  private static List<Grouped> grouped(AskedRules asked, Rules declared, Case of, int[] kept) {
    List<GroupRule> rules = new ArrayList<>();
    for (GroupRule rule : declared.groups()) {
      if (asked.groups().stream().noneMatch(other -> replaces(other, rule))) {
        rules.add(rule);
      }
    }
    rules.addAll(asked.groups());
    FeatureGroups features = new FeatureGroups(of.surface, of.items, kept);
    List<Grouped> grouped = new ArrayList<>();
    // Mosts and distances first: leasts join the groupings that they make.
    for (Kind kind : List.of(Kind.AT_MOST, Kind.APART, Kind.AT_LEAST)) {
      for (GroupRule rule : rules) {
        if (rule.kind() == kind && rule.number() > 0) {
          Grouped place = Grouped.find(rule, grouped);
          if (place == null) {
            place = Grouped.of(rule, features);
            grouped.add(place);
          }
          place.add(rule, features);
        }
      }
    }
    return grouped;
  }

  private static boolean replaces(GroupRule other, GroupRule rule) {
    return other.kind() == rule.kind() && other.items().equals(rule.items());
  }

  private static String words(
      RuleFit.Relaxed relaxed, List<AskedRules.PinAt> pins, List<Grouped> grouped) {
    return switch (relaxed.bound()) {
      case PIN ->
          "pin %s at %d: no slate has it there"
              .formatted(pins.get(relaxed.index()).candidateId(), relaxed.wanted());
      case AT_LEAST ->
          words(Kind.AT_LEAST, grouped.get(relaxed.index()).itemsOf(relaxed.group()), relaxed);
      case AT_MOST -> words(Kind.AT_MOST, grouped.get(relaxed.index()).items(), relaxed);
      case APART -> words(Kind.APART, grouped.get(relaxed.index()).items(), relaxed);
    };
  }

  private static String words(Kind kind, String items, RuleFit.Relaxed relaxed) {
    return "%s %s: %d instead of %d"
        .formatted(kind.words(), items, relaxed.kept(), relaxed.wanted());
  }

  private static RuleTrace trace(
      SlateRules rules, Case of, @Nullable String[] reasons, List<String> relaxed) {
    List<Masked> masked = new ArrayList<>();
    for (int i = 0; i < reasons.length; i++) {
      String reason = reasons[i];
      if (reason != null) {
        masked.add(new Masked(of.ids.get(i), reason));
      }
    }
    List<Pin> pins = new ArrayList<>();
    rules.pins().forEach(pin -> pins.add(new Pin(pin.position(), pin.candidate())));
    List<Grouping> groupings = new ArrayList<>();
    for (SlateRules.Grouping each : rules.groupings()) {
      groupings.add(
          new Grouping(
              each.rule(),
              boxed(each.groups()),
              each.atMost(),
              each.apart(),
              boxed(each.atLeast())));
    }
    return new RuleTrace(pins, groupings, masked, relaxed);
  }

  private static List<Integer> boxed(int[] values) {
    return Arrays.stream(values).boxed().toList();
  }
}
