package io.bellwether.ingestion.recall;

import io.bellwether.ingestion.attribution.Shown;
import io.bellwether.ingestion.attribution.SlateHistory;
import io.bellwether.ingestion.erasure.ErasedSubjects;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.history.RecentItems;
import io.bellwether.ingestion.history.ShownItem;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes the histories of a surface to Redis anew, from the archive, by the rule by which the job
 * keeps them. It goes on where an earlier run was cut off, and overwrites nothing that is newer, so
 * that it can run beside live traffic. Confined to one thread.
 */
public final class HistoryRebuild {

  private static final int BATCH = 100;

  /** What is held of a transition: some shown items. */
  private static final long BYTES_EACH = 2_000;

  private final Settings settings;
  private final Surface surface;
  private final Clock clock;
  private final FeatureLayout layout;
  private final SlateHistory rule;
  private final RecentItems items;

  /**
   * From what, and how fast.
   *
   * @param archive its folder
   * @param progress file in which it is kept how far the rebuild has come; removed at the end
   * @param ttl subjects that were not seen for so long have no history
   * @param perSecond histories at most
   */
  public record Settings(Path archive, Path progress, Duration ttl, int perSecond) {
    public Settings {
      if (perSecond < 1) {
        throw new IllegalArgumentException("perSecond must be at least 1, is " + perSecond);
      }
    }
  }

  /**
   * What a run did.
   *
   * @param shares parts of the subjects, done one after the other
   * @param resumedAt shares that an earlier run had done
   * @param subjects that were seen within the time to live, of the shares done now
   * @param written of their histories; the others were newer in Redis
   */
  public record Rebuilt(int shares, int resumedAt, long subjects, long written) {}

  public HistoryRebuild(Surface surface, Settings settings, Clock clock) {
    this.surface = surface;
    this.settings = settings;
    this.clock = clock;
    this.layout = FeatureLayout.of(surface);
    this.rule = new SlateHistory(surface);
    this.items =
        new RecentItems(
            surface.history().last(), layout.itemWidth(), surface.history().signals().size());
  }

  /**
   * Rebuilds all histories.
   *
   * @throws IOException where the archive cannot be read or Redis does not answer; what was done is
   *     kept, and the next run goes on there
   */
  public Rebuilt run(HistoryStore store) throws IOException {
    SubjectShares shares = SubjectShares.of(settings.archive(), surface.name(), BYTES_EACH);
    int done = layout.historyLength() == 0 ? shares.count() : 0;
    int[] earlier = progress();
    if (earlier.length == 2 && earlier[1] > 0) {
      shares = new SubjectShares(settings.archive(), surface.name(), earlier[1]);
      done = earlier[0];
    }
    long subjects = 0;
    long written = 0;
    Pace pace = new Pace(settings.perSecond());
    for (int share = done; share < shares.count(); share++) {
      Map<String, SubjectHistory> histories = histories(shares, share);
      subjects += histories.size();
      Map<String, SubjectHistory> batch = new LinkedHashMap<>();
      for (Map.Entry<String, SubjectHistory> history : histories.entrySet()) {
        batch.put(history.getKey(), history.getValue());
        if (batch.size() == BATCH) {
          written += write(batch, store, pace);
        }
      }
      written += write(batch, store, pace);
      keep(share + 1, shares.count());
    }
    Files.deleteIfExists(settings.progress());
    return new Rebuilt(shares.count(), done, subjects, written);
  }

  private int write(Map<String, SubjectHistory> batch, HistoryStore store, Pace pace)
      throws IOException {
    if (batch.isEmpty()) {
      return 0;
    }
    pace.await(batch.size());
    int written = store.writeNewer(batch, layout, settings.ttl());
    batch.clear();
    return written;
  }

  /** The histories of a share's subjects, by key. */
  private Map<String, SubjectHistory> histories(SubjectShares shares, int share) {
    Map<String, List<ShownItem>> kept = new HashMap<>();
    shares.read(share, transition -> add(transition, kept));
    // Also those who were erased while this was read.
    ErasedSubjects erased = ErasedSubjects.in(settings.archive());
    long oldest = (clock.millis() - settings.ttl().toMillis()) * 1_000;
    Map<String, SubjectHistory> histories = new HashMap<>();
    kept.forEach(
        (subject, all) -> {
          List<SubjectHistory.Entry> entries = new ArrayList<>(all.size());
          long newest = Long.MIN_VALUE;
          for (ShownItem item : all) {
            if (!erased.covers(subject, item.decidedAtMicros())) {
              entries.add(item.entry());
              newest = Math.max(newest, item.decidedAtMicros());
            }
          }
          if (newest > oldest) {
            String key = SubjectHistory.redisKey(surface.name(), subject);
            histories.put(key, new SubjectHistory(entries));
          }
        });
    return histories;
  }

  private void add(Transition transition, Map<String, List<ShownItem>> kept) {
    rule.shown(transition.getDecision())
        .ifPresent(
            shown -> {
              List<ShownItem> before = kept.getOrDefault(shown.subjectId(), List.of());
              List<ShownItem> after = items.after(before, shown);
              after =
                  items.after(
                      after,
                      rule.happened(Shown.by(transition.getDecision()), transition.getSignals()));
              kept.put(shown.subjectId(), after);
            });
  }

  private int[] progress() throws IOException {
    if (!Files.exists(settings.progress())) {
      return new int[0];
    }
    String text = Files.readString(settings.progress()).strip();
    int slash = text.indexOf('/');
    try {
      return new int[] {
        Integer.parseInt(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1))
      };
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new IOException(settings.progress() + " is not 'DONE/SHARES'; remove it", e);
    }
  }

  private void keep(int done, int shares) throws IOException {
    Path file = settings.progress().toAbsolutePath();
    Path folder = file.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.write(draft, (done + "/" + shares + "\n").getBytes(StandardCharsets.UTF_8));
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Waits, so that not more than so many a second go on. */
  private static final class Pace {
    private final long nanosEach;
    private long next = System.nanoTime();

    Pace(int perSecond) {
      nanosEach = TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    void await(int count) throws InterruptedIOException {
      long now = System.nanoTime();
      for (long wait = next - now; wait > 0; wait = next - System.nanoTime()) {
        LockSupport.parkNanos(wait);
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("the rebuild was interrupted");
        }
      }
      next = Math.max(next, now) + count * nanosEach;
    }
  }
}
