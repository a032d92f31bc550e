package io.bellwether.trainer.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HumanAnswersTest {

  @TempDir Path folder;

  @Test
  void theTemplateAsksForEverythingAndAnswersNothing() throws Exception {
    Path file = Files.writeString(folder.resolve("a.yaml"), HumanAnswers.template());
    assertEquals(HumanAnswers.NONE, HumanAnswers.read(file));
    assertEquals(HumanField.values().length, HumanAnswers.read(file).missing().size());
  }

  @Test
  void whatIsWrittenIsNotMissing() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("a.yaml"), "owner: Ada, ada@example.org\ncadence: |\n  every week\n");
    HumanAnswers answers = HumanAnswers.read(file);
    assertEquals("every week", answers.of(HumanField.CADENCE).orElseThrow());
    assertEquals(HumanField.values().length - 2, answers.missing().size());
  }

  @Test
  void aFieldThatThereIsNotIsRefusedWithThoseThatThereAre() throws Exception {
    Path file = Files.writeString(folder.resolve("a.yaml"), "onwer: Ada\n");
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> HumanAnswers.read(file));
    assertTrue(refusal.toString().contains("'onwer' is no field"), refusal.toString());
    assertTrue(refusal.toString().contains("owner"), refusal.toString());
    Path list = Files.writeString(folder.resolve("b.yaml"), "- owner\n");
    assertThrows(IllegalArgumentException.class, () -> HumanAnswers.read(list));
    Path broken = Files.writeString(folder.resolve("c.yaml"), "owner: [\n");
    assertThrows(IllegalArgumentException.class, () -> HumanAnswers.read(broken));
  }

  @Test
  void withoutAFileNobodyHasWritten() throws Exception {
    assertEquals(HumanAnswers.NONE, HumanAnswers.read(folder.resolve("none.yaml")));
  }
}
