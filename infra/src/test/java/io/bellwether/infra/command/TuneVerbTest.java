package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a search refuses before it begins, and what there is to search through. */
class TuneVerbTest {
  @TempDir Path folder;
  private CommandLineFixture command;

  @BeforeEach
  void logDecisions() throws Exception {
    command = new CommandLineFixture(folder.resolve("data"));
    ShopLog shop = new ShopLog(folder.resolve("data"));
    shop.write(shop.transitions(3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "There is no search in | --resume",
        "--minutes 0.0 is no length of time | --minutes 0",
        "--trials is at least 1, found 0 | --trials 0",
        "--held-out 1.0 is no share | --held-out 1",
        "--alpha 0.5 is out of range | --alpha 0.5",
        "--model-steps -1 is negative | --model-steps -1",
        "'magic' is no way to train | --algorithms iql,magic",
        "fixes what a search draws | --algorithms constrained(margin=2)",
        "--log 2026-11-01.. is a range | --log 2026-11-01.."
      })
  void whatCannotBeSearchedIsRefused(String reason, String options) {
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.runOnData(("tune --surface shop " + options).split(" ", -1)),
        command.errors());
    assertTrue(command.errors().contains(reason), command.errors());
  }

  @Test
  void algorithmsAreListedWithTheirSettings() throws Exception {
    JsonNode listed = listed();
    assertTrue(
        command.output().contains("margin=3  standard errors by which promises"), command.output());
    for (JsonNode each : listed) {
      if (each.get("name").textValue().equals("iql")) {
        assertEquals("expectile", each.at("/settings/0/name").textValue());
        assertEquals(0.7, each.at("/settings/0/usual").doubleValue());
        assertEquals("linear", each.at("/settings/0/scale").textValue());
      }
    }
  }

  private JsonNode listed() throws Exception {
    Path file = folder.resolve("algorithms.json");
    assertEquals(ExitCode.DONE, command.run("algorithms", "--json", file.toString()));
    return new ObjectMapper().readTree(file.toFile());
  }
}
