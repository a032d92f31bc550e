package io.bellwether.ingestion.recall;

import io.bellwether.ingestion.attribution.Attribution;
import io.bellwether.ingestion.attribution.Relabel;
import io.bellwether.ingestion.attribution.SlateHistory;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares the history that each decision was made with, which its record holds, with what the
 * archive says that the subject had been shown and had done by then.
 *
 * <p>Rows are compared from the newest to the oldest: when the item was shown, to half a percent;
 * an inline item's features and the signals, exactly. The features of registered items are those of
 * the time of use and are only counted. What happened less than {@code patience} before a decision
 * may be missing, which is late and not different: the job had not seen it. What is older than the
 * archive, or lies beyond a pause of the time to live, is not asked for. Confined to one thread.
 */
public final class HistoryCheck {

  private static final int EXAMPLES = 20;
  private static final long OWN_BYTES_EACH = 2_000;

  /** Redis holds times to 1/256. */
  private static final double GAP = 0.005;

  private final Surface surface;
  private final Path archive;
  private final long patienceMicros;
  private final long ttlMicros;
  private final FeatureLayout layout;
  private final SlateHistory rule;
  private final Relabel relabel;
  private final int width;
  private final int itemWidth;

  /**
   * @param patience how long the job may take until serving sees what happened
   * @param ttl after which a subject that was not seen has no history
   */
  public HistoryCheck(Path archive, Surface surface, Duration patience, Duration ttl) {
    this.archive = archive;
    this.surface = surface;
    this.patienceMicros = patience.toNanos() / 1_000;
    this.ttlMicros = ttl.toMillis() * 1_000;
    this.layout = FeatureLayout.of(surface);
    this.rule = new SlateHistory(surface);
    this.relabel = Relabel.under(surface);
    this.width = layout.historyWidth();
    this.itemWidth = layout.itemWidth();
  }

  /** Compares all decisions of the surface. */
  public Agreement run() throws IOException {
    Tally tally = new Tally();
    long bytesEach = OWN_BYTES_EACH + (long) Float.BYTES * layout.historyLength() * width;
    SubjectShares shares = SubjectShares.of(archive, surface.name(), bytesEach);
    for (int share = 0; share < shares.count(); share++) {
      Map<String, List<PastSlate>> bySubject = new TreeMap<>();
      shares.read(share, transition -> add(transition, bySubject, tally));
      bySubject.values().forEach(slates -> check(slates, tally));
    }
    return tally.agreement();
  }

  private void add(Transition transition, Map<String, List<PastSlate>> bySubject, Tally tally) {
    tally.decisions++;
    Decision decision = transition.getDecision();
    boolean sameLayout = decision.getFeatureDigest().equals(layout.digest());
    float[] logged = Floats.of(decision.getHistory());
    if (!sameLayout || logged.length != layout.historyLength() * width || logged.length == 0) {
      tally.unreadable++;
      logged = new float[0];
    } else if (decision.getDegraded() != null && newest(logged) < 0) {
      tally.unavailable++;
      logged = new float[0];
    }
    float[] shown = sameLayout ? items(decision) : new float[0];
    PastSlate.of(transition, rule, shown, logged)
        .ifPresent(
            slate ->
                bySubject
                    .computeIfAbsent(decision.getSubjectId(), s -> new ArrayList<>())
                    .add(slate));
  }

  private float[] items(Decision decision) {
    float[] all = Floats.of(decision.getItems());
    List<Placement> slate = decision.getSlate();
    float[] shown = new float[slate.size() * itemWidth];
    for (int position = 0; position < slate.size(); position++) {
      int from = slate.get(position).getCandidate() * itemWidth;
      System.arraycopy(all, from, shown, position * itemWidth, itemWidth);
    }
    return shown;
  }

  /** The last row that holds something; -1 where there is none. */
  private int newest(float[] rows) {
    int row = layout.historyLength() - 1;
    return row >= 0 && rows[row * width] == 1f ? row : -1;
  }

  private void check(List<PastSlate> slates, Tally tally) {
    slates.sort(Comparator.comparingLong(PastSlate::atMicros).thenComparing(PastSlate::decisionId));
    for (int i = 0; i < slates.size(); i++) {
      PastSlate slate = slates.get(i);
      if (slate.logged().length > 0) {
        new Comparison(slate, slates, i, tally).run();
      }
    }
  }

  /** One decision's history beside the slates before it. */
  private final class Comparison {
    private final float[] rows;
    private final long now;
    private final List<PastSlate> slates;
    private final Tally tally;
    private final String decisionId;

    /** The archive's row that comes next: its slate, and its position in it. */
    private int slate;

    private int position;
    private long newerMicros;
    private @Nullable String late;

    Comparison(PastSlate decision, List<PastSlate> slates, int index, Tally tally) {
      this.rows = decision.logged();
      this.now = decision.atMicros();
      this.decisionId = decision.decisionId();
      this.slates = slates;
      this.tally = tally;
      this.newerMicros = now;
      this.slate = index;
      while (slate >= 0 && slates.get(slate).atMicros() >= now) {
        slate--;
      }
      position = slate < 0 ? -1 : slates.get(slate).shown().positions() - 1;
      skipEmpty();
    }

    void run() {
      if (slate < 0 && newest(rows) < 0) {
        tally.firsts++;
        return;
      }
      String different = compare();
      if (different != null) {
        tally.different(decisionId, different);
      } else if (late != null) {
        tally.late(decisionId, late);
      } else {
        tally.equal++;
      }
    }

    /** What is different; null where nothing is, or all is late. */
    private @Nullable String compare() {
      int row = layout.historyLength() - 1;
      for (; row >= 0 && rows[row * width] == 1f; row--) {
        while (slate >= 0 && !isAtSameTime(row)) {
          if (!mayBeMissing()) {
            return "serving did not know " + words();
          }
          late = "serving did not know " + words();
          older();
        }
        if (slate < 0) {
          return isOlderThanArchive(row) ? null : "the archive does not know row " + row;
        }
        String different = compareRow(row);
        if (different != null) {
          return different;
        }
        older();
      }
      for (; row >= 0 && slate >= 0; row--) {
        if (newerMicros - slates.get(slate).atMicros() >= ttlMicros) {
          return null;
        }
        if (!mayBeMissing()) {
          return "serving did not know " + words();
        }
        late = "serving did not know " + words();
        older();
      }
      return null;
    }

    private boolean isAtSameTime(int row) {
      double gap = Math.log1p((now - slates.get(slate).atMicros()) / 1e6);
      return Math.abs(gap - rows[row * width + 1]) <= GAP;
    }

    private boolean isOlderThanArchive(int row) {
      double oldest = Math.log1p((now - slates.get(0).atMicros()) / 1e6);
      return rows[row * width + 1] > oldest + GAP;
    }

    private boolean mayBeMissing() {
      return now - slates.get(slate).atMicros() <= patienceMicros;
    }

    private @Nullable String compareRow(int row) {
      PastSlate shown = slates.get(slate);
      int from = row * width + 2;
      if (!shown.hasItem(position, itemWidth, rows, from)) {
        if (!shown.isRegistered()) {
          return "other features of " + words();
        }
        tally.changedItems++;
      }
      int signals = width - 2 - itemWidth;
      float[] used = Arrays.copyOfRange(rows, from + itemWidth, from + itemWidth + signals);
      float[] known = at(shown, now, signals);
      if (Arrays.equals(used, known)) {
        return null;
      }
      long[] times =
          shown.receivedBetween(
              now - patienceMicros, now + Attribution.CLOCK_SKEW.toMillis() * 1000);
      for (long time : times) {
        if (Arrays.equals(used, at(shown, time, signals))
            || Arrays.equals(used, at(shown, time - 1, signals))) {
          late = "serving knew an earlier state of " + words();
          return null;
        }
      }
      return "signals "
          + Arrays.toString(used)
          + " where the archive has "
          + Arrays.toString(known)
          + " of "
          + words();
    }

    private float[] at(PastSlate shown, long micros, int signals) {
      float[] all = shown.signals(rule, relabel, micros);
      return Arrays.copyOfRange(all, position * signals, (position + 1) * signals);
    }

    private void older() {
      newerMicros = slates.get(slate).atMicros();
      position--;
      skipEmpty();
    }

    private void skipEmpty() {
      while (slate >= 0 && position < 0) {
        slate--;
        position = slate < 0 ? -1 : slates.get(slate).shown().positions() - 1;
      }
    }

    private String words() {
      PastSlate shown = slates.get(slate);
      return "position %d of decision %s of %s"
          .formatted(
              position,
              shown.decisionId(),
              Instant.EPOCH.plus(shown.atMicros(), ChronoUnit.MICROS));
    }
  }

  /** Counts while the archive is read. */
  private static final class Tally {
    private long decisions;
    private long firsts;
    private long equal;
    private long late;
    private long different;
    private long unavailable;
    private long unreadable;
    private long changedItems;
    private final List<Agreement.Example> lateOnes = new ArrayList<>();
    private final List<Agreement.Example> differentOnes = new ArrayList<>();

    void late(String decisionId, String what) {
      late++;
      if (lateOnes.size() < EXAMPLES) {
        lateOnes.add(new Agreement.Example(decisionId, true, what));
      }
    }

    void different(String decisionId, String what) {
      different++;
      if (differentOnes.size() < EXAMPLES) {
        differentOnes.add(new Agreement.Example(decisionId, false, what));
      }
    }

    Agreement agreement() {
      List<Agreement.Example> examples = new ArrayList<>(differentOnes);
      lateOnes.stream().limit(EXAMPLES - (long) differentOnes.size()).forEach(examples::add);
      return new Agreement(
          decisions,
          firsts,
          equal,
          late,
          different,
          unavailable,
          unreadable,
          changedItems,
          examples);
    }
  }
}
