package io.bellwether.ingestion.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Erasure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErasedSubjectsTest {

  private static final String JOB = "01KB9ZK8W1N8Q3V5T7X9Y2Z4A6";

  @Test
  void onlyWhatWasDecidedUntilThenIsCovered() {
    ErasedSubjects erased = new ErasedSubjects();
    assertFalse(erased.covers("anna", Long.MIN_VALUE + 1));
    erased.add(erasure("anna", 10));
    erased.add(erasure("anna", 7));
    assertTrue(erased.covers("anna", 10));
    assertFalse(erased.covers("anna", 11));
    assertFalse(erased.covers("bo", 1));
  }

  @Test
  void whoeverReadsTheArchiveKnowsThemToo(@TempDir Path archive) throws Exception {
    assertTrue(ErasedSubjects.in(archive).isEmpty());
    ErasedSubjects erased = new ErasedSubjects();
    erased.add(erasure("anna", 10));
    erased.write(archive);
    assertTrue(ErasedSubjects.in(archive).covers("anna", 10));
    assertFalse(Files.readString(archive.resolve(ErasedSubjects.FILE)).contains("anna"));
    Files.writeString(archive.resolve(ErasedSubjects.FILE), "half a li");
    assertThrows(IllegalStateException.class, () -> ErasedSubjects.in(archive));
  }

  @Test
  void recordsAreReadBackAndOthersAreNot() {
    Erasure erasure = erasure("anna", 10);
    assertEquals(Optional.of(erasure), Erasure.read(erasure.key(), erasure.value()));
    assertEquals(Optional.empty(), Erasure.read(erasure.key(), "v2".getBytes(UTF_8)));
    assertEquals(Optional.empty(), Erasure.read("anna", erasure.value()));
    assertEquals(Optional.empty(), Erasure.read(erasure.key(), null));
    Erasure.Archived archived = new Erasure.Archived(2, 3, 4);
    String key = Erasure.Archived.key(erasure);
    assertTrue(Erasure.isArchived(key) && !Erasure.isArchived(erasure.key()));
    assertEquals(Optional.of(archived), Erasure.Archived.read(archived.value()));
  }

  @Test
  void aSecondErasureOfASubjectTakesNoFirstOneAway() {
    Erasure first = erasure("anna", 10);
    Erasure second = new Erasure(first.subject(), "01KB9ZK8W1N8Q3V5T7X9Y2Z4B7", 20);
    assertNotEquals(first.key(), second.key(), "a compacted topic keeps one record of a key");
    assertEquals(Optional.empty(), Erasure.read(first.key(), second.value()));
  }

  @Test
  void recordsOfEarlierReleasesAreRead() {
    Erasure erasure = erasure("anna", 10);
    String key = "subject/" + erasure.subject();
    assertEquals(Optional.of(erasure), Erasure.read(key, erasure.value()));
  }

  @Test
  void recordsAreTheSameInEveryLanguage() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertArrayEquals("v1 2 3 4".getBytes(UTF_8), new Erasure.Archived(2, 3, 4).value());
      assertArrayEquals(("v1 " + JOB + " 10").getBytes(UTF_8), erasure("anna", 10).value());
    } finally {
      Locale.setDefault(before);
    }
  }

  private static Erasure erasure(String subject, long until) {
    return new Erasure(Erasure.hash(subject), JOB, until);
  }
}
