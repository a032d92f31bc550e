package io.bellwether.trainer.imports.kuairand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.ImportSummary;
import io.bellwether.trainer.imports.table.ImportFixture;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KuaiRandImportTest {

  private static final String HEADER =
      "user_id,video_id,date,hourmin,time_ms,is_click,is_like,is_follow,is_comment,is_forward,"
          + "is_hate,long_view,play_time_ms,duration_ms,profile_stay_time,comment_stay_time,"
          + "is_profile_enter,is_rand,tab";

  @TempDir private Path folder;

  @Test
  void rowsShownAtRandomHaveExactPropensitiesAndOthersNone() throws Exception {
    ImportFixture fixture = ImportFixture.of(folder, "kuairand");
    fixture.file(
        "data/log_random_4_22_to_5_08_pure.csv",
        HEADER,
        "7,1,20220422,2210,1650636600000,1,0,0,0,0,0,1,41500,60000,0,0,0,1,4",
        "7,2,20220422,2211,1650636660000,0,0,0,0,0,0,0,500,60000,0,0,0,1,4",
        "8,3,20220422,900,1650589200000,0,0,0,0,0,1,0,0,60000,0,0,0,1,0",
        "8,,20220422,900,1650589200000,0,0,0,0,0,1,0,0,60000,0,0,0,1,0");
    fixture.file(
        "data/log_standard_4_22_to_5_08_pure.csv",
        HEADER,
        "7,9,20220422,2212,1650636720000,1,1,0,0,0,0,0,900,60000,0,0,0,0,4");
    fixture.file(
        "data/user_features_pure.csv",
        "user_id,user_active_degree,is_video_author,follow_user_num,follow_user_num_range",
        "7,full_active,1,33,\"(10,50]\"");
    fixture.file(
        "data/video_features_basic_pure.csv",
        "video_id,video_type,upload_type,video_duration,music_type,tag",
        "1,NORMAL,LongImport,13000.0,9.0,\"39,12\"",
        "2,AD,,,,",
        "77,NORMAL,,,,");
    ImportSummary summary =
        fixture.run(
            KuaiRandImport.source("pure", folder, KuaiRandImport.Part.BOTH, 2, fixture.surface()));
    assertEquals(Map.of("EXACT", 3L, "NONE", 1L), summary.decisions().kinds());
    assertEquals(1, summary.rejected());
    assertTrue(summary.examples().get(0).endsWith("line 5: has no video_id"));
    assertEquals(2, summary.propensities().meanInverse());
    List<Transition> rows = fixture.rows(summary);
    Transition watched = rows.get(1);
    assertEquals("log_random_4_22_to_5_08_pure-2", watched.getDecision().getDecisionId());
    assertEquals("7", watched.getDecision().getSubjectId());
    assertEquals(0.5, watched.getDecision().getSlate().get(0).getPropensity());
    assertEquals("1", watched.getDecision().getSlate().get(0).getItemId());
    assertEquals(
        "{\"user_active_degree\":\"full_active\",\"is_video_author\":true,\"follow_user_num\":33.0,"
            + "\"tab\":\"4\",\"hour\":22.0}",
        watched.getDecision().getRawContext());
    assertTrue(
        String.valueOf(watched.getDecision().getRawItems())
            .contains(
                "{\"video_type\":\"NORMAL\",\"upload_type\":\"LongImport\",\"video_duration\":13000.0,"
                    + "\"music_type\":\"9.0\",\"tag\":[\"39\",\"12\"]}"));
    assertEquals(
        List.of("is_click 1.0", "long_view 1.0", "watch_seconds 41.5"),
        watched.getSignals().stream().map(s -> s.getSignal() + " " + s.getValue()).toList());
    assertEquals(rows.get(2).getDecision().getDecisionId(), watched.getNextDecisionId());
    assertEquals("NONE", rows.get(3).getDecision().getPropensityKind());
  }

  @Test
  void aFolderWithoutLogsIsRefused() throws Exception {
    ImportFixture fixture = ImportFixture.of(folder, "kuairand");
    assertThrows(
        ImportRefused.class,
        () ->
            KuaiRandImport.source(
                "pure", folder, KuaiRandImport.Part.RANDOM, 2, fixture.surface()));
  }
}
