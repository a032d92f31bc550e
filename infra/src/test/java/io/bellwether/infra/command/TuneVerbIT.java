package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.trainer.job.Baseline;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A search on a log in which one item is better than the other. */
class TuneVerbIT {
  @TempDir Path folder;

  @Test
  void whatIsStoppedGoesOnAndTheWinnerBeatsCloning() throws Exception {
    Path data = folder.resolve("data");
    CommandLineFixture command = new CommandLineFixture(data);
    ShopLog shop = new ShopLog(data);
    shop.write(shop.transitions(2000));
    PolicyStore store = command.store();
    PolicyVersion champion =
        new Baseline(Clock.systemUTC(), "test").publish(shop.declare(0), store);
    assertEquals(
        ExitCode.DONE,
        command.runOnData(
            "promote",
            champion.id().value(),
            "--why",
            "first",
            "--override",
            "nothing to judge by"),
        command.errors());

    JsonNode stopped = command.resultOf(ExitCode.NO, tune("--minutes", "0.0001"));
    assertEquals(1, stopped.get("looks").intValue());
    assertFalse(stopped.get("complete").booleanValue());
    assertTrue(command.output().contains("Nothing beats behaviour cloning"), command.output());
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData(tune()));
    assertTrue(command.errors().contains("A search was begun in"), command.errors());
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData(tune("--resume", "--held-out", "0.5")));
    assertTrue(command.errors().contains("a judged share of 0.4"), command.errors());

    JsonNode result = command.resultOf(ExitCode.DONE, tune("--resume", "--minutes", "60"));
    assertEquals(4, result.get("looks").intValue());
    assertEquals(0.05 / 4, result.get("correctedAlpha").doubleValue());
    assertTrue(result.get("complete").booleanValue());
    assertTrue(result.get("beatsAll").booleanValue(), result::toString);
    assertEquals(0, result.at("/ranking/0/draw").intValue());
    // by chance 0.3; 0.5 were the better item shown always
    double cloned = valueOf("behaviour-cloning", result);
    double learned = result.at("/ranking/0/value").doubleValue();
    assertTrue(cloned > 0.2 && cloned < 0.4, result::toString);
    assertTrue(learned > cloned && learned < 0.6, result::toString);
    assertEquals(
        List.of("what was logged", "behaviour cloning", "the champion, " + champion.id()),
        texts(result.get("winnerAgainst"), "against"));
    assertTrue(command.output().contains("It beats behaviour cloning: "), command.output());
    seesOnlyWhatWasDecidedBefore(Instant.parse(result.get("split").textValue()), data);

    String train = result.get("train").textValue();
    assertTrue(train.contains(" --algorithm 'constrained-actor-critic("), train);
  }

  private static void seesOnlyWhatWasDecidedBefore(Instant split, Path data) {
    PolicyStore trained =
        new PolicyStore(data.resolve("runs/tune-shop-seed-3/store"), Clock.systemUTC());
    assertEquals(4, trained.versions("shop").size());
    for (PolicyVersion version : trained.versions("shop")) {
      assertTrue(trained.manifest(version.id()).data().to().isBefore(split));
      assertEquals(1200, trained.manifest(version.id()).data().rows());
    }
  }

  private static double valueOf(String method, JsonNode result) {
    for (JsonNode each : result.get("ranking")) {
      if (each.get("method").textValue().equals(method)) {
        return each.get("value").doubleValue();
      }
    }
    throw new AssertionError(method + " is not in " + result);
  }

  private static List<String> texts(JsonNode list, String field) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.get(field).textValue()));
    return texts;
  }

  private static String[] tune(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of("tune", "--surface", "shop", "--algorithms", "constrained", "--trials", "1"));
    all.addAll(List.of("--seed", "3"));
    if (!List.of(more).contains("--held-out")) {
      all.addAll(List.of("--held-out", "0.4"));
    }
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}
