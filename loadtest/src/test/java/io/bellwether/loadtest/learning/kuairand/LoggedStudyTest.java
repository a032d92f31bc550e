package io.bellwether.loadtest.learning.kuairand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.interval.CounterRandom;
import io.bellwether.loadtest.learning.bsim.LearningMethod;
import io.bellwether.trainer.algorithm.BehaviourCloning;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.imports.ImportRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a made-up log in KuaiRand's layout: video n is watched for n seconds and liked if even. */
class LoggedStudyTest {
  private static final String HEADER =
      "user_id,video_id,date,hourmin,time_ms,is_click,is_like,is_follow,is_comment,is_forward,"
          + "is_hate,long_view,play_time_ms,duration_ms,profile_stay_time,comment_stay_time,"
          + "is_profile_enter,is_rand,tab";
  private static final int ROWS = 1_200;
  private static final int VIDEOS = 5;
  private static final long MINUTE = 60_000;

  @TempDir private Path folder;

  @BeforeEach
  void writeLog() throws IOException {
    CounterRandom random = new CounterRandom(1);
    List<String> lines = new ArrayList<>(List.of(HEADER));
    for (int row = 0; row < ROWS; row++) {
      // The first videos are shown most; video 9 is rare and falls out.
      double draw = random.uniform(1, row, 0, 0);
      int video = row % 100 == 50 ? 9 : 1 + (int) (VIDEOS * draw * draw);
      lines.add(
          "%d,%d,20220422,2210,%d,1,%d,0,0,0,0,0,%d,60000,0,0,0,0,1"
              .formatted(
                  (int) (40 * random.uniform(2, row, 0, 0)),
                  video,
                  1_650_636_600_000L + row * MINUTE,
                  video % 2 == 0 ? 1 : 0,
                  video * 1_000));
    }
    lines.add(",3,20220422,2210,1650636600000,1,0,0,0,0,0,0,500,60000,0,0,0,0,1");
    Files.createDirectories(folder.resolve("data"));
    Files.write(folder.resolve("data/log_standard_4_08_to_4_21_pure.csv"), lines);
  }

  @Test
  void theMostViewedVideosAreKeptAndTimeSplitsTheRest() throws IOException {
    KuaiRandLog log = KuaiRandLog.read(folder, VIDEOS, 0.75);
    assertEquals(VIDEOS, log.videos().size());
    assertEquals("1", log.videos().get(0));
    assertTrue(!log.videos().contains("9"));
    assertEquals(0.75, (double) log.split() / log.rows().size(), 0.01);
    for (int i = 1; i < log.rows().size(); i++) {
      assertTrue(log.rows().get(i - 1).millis() <= log.rows().get(i).millis());
    }
  }

  @Test
  void rowsKnowOnlyWhatWasBeforeThem() throws IOException {
    KuaiRandLog log = KuaiRandLog.read(folder, VIDEOS, 0.75);
    KuaiRandData data = KuaiRandData.of(log, ROWS);
    LearnerData train = data.train();
    int context = data.schema().context().size();
    // Nobody has a past at the first row; everybody's later row has.
    for (int column = 0; column <= KuaiRandLog.SIGNALS.size(); column++) {
      assertEquals(0, train.context()[column]);
    }
    assertEquals(log.split(), train.rows());
    int seen = KuaiRandLog.SIGNALS.size();
    assertTrue(train.context()[(train.rows() - 1) * context + seen] > 0);
    for (int row = 0; row < train.rows(); row++) {
      int next = train.next()[row];
      assertTrue(next < 0 || next > row);
      assertTrue(!(train.terminated()[row] && next >= 0));
    }
  }

  @Test
  void whatAFewRowsSayIsWhatThoseRowsSay() throws IOException {
    KuaiRandData whole = KuaiRandData.of(KuaiRandLog.read(folder, VIDEOS, 0.75), ROWS);
    KuaiRandData part = KuaiRandData.of(KuaiRandLog.read(folder, VIDEOS, 0.75), 50);
    assertEquals(50, part.train().rows());
    assertEquals(50, part.test().rows());
    int context = whole.schema().context().size();
    for (int column = 0; column < context; column++) {
      assertEquals(
          whole.test().context()[49 * context + column],
          part.test().context()[49 * context + column]);
    }
  }

  @Test
  void aCloneIsWorthWhatTheLogSays() throws IOException {
    LoggedStudy study =
        LoggedStudy.run(
            folder,
            List.of(LearningMethod.single("clone", () -> BehaviourCloning.DEFAULT)),
            new LoggedStudy.Extent(VIDEOS, ROWS, 1, 200, 64),
            1,
            progress -> {});
    assertEquals(KuaiRandLog.SIGNALS.size(), study.lines().size());
    LoggedStudy.Line watch = study.lines().get(0);
    assertEquals("watch", watch.signal());
    assertEquals(1, watch.effectiveShare(), 1e-6);
    double mean = mean(study);
    for (LoggedStudy.Estimate each :
        List.of(
            watch.capped().orElseThrow(),
            watch.normalised().orElseThrow(),
            watch.doublyRobust().orElseThrow())) {
      assertEquals(mean, each.value(), 0.3);
      assertTrue(each.low() <= each.value() && each.value() <= each.high());
    }
    assertEquals(mean, watch.normalised().orElseThrow().value(), 1e-6);
  }

  /** Watched seconds of the test rows. */
  private double mean(LoggedStudy study) throws IOException {
    KuaiRandData data =
        KuaiRandData.of(KuaiRandLog.read(folder, VIDEOS, 450_000.0 / 480_385), ROWS);
    assertEquals(data.test().rows(), study.testRows());
    double sum = 0;
    for (int row = 0; row < data.test().rows(); row++) {
      sum += data.test().rewards()[row * KuaiRandLog.SIGNALS.size()];
    }
    return sum / data.test().rows();
  }

  @Test
  void aFolderWithoutSuchALogIsRefused() throws IOException {
    Path empty = Files.createDirectories(folder.resolve("empty"));
    assertThrows(ImportRefused.class, () -> KuaiRandLog.read(empty, 5, 0.9));
    assertThrows(ImportRefused.class, () -> KuaiRandLog.read(folder.resolve("none"), 5, 0.9));
  }
}
