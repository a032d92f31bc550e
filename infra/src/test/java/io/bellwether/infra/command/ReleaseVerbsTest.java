package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.infra.local.LocalStore;
import io.bellwether.policy.object.FolderDepot;
import io.bellwether.policy.object.Journal;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PromotionRefusedException;
import io.bellwether.policy.version.VersionId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs that hold releases up, tell of them, and vouch for them, on a real store. */
class ReleaseVerbsTest {
  private static final String NAME = "short-video";

  @TempDir Path folder;
  private Path data;
  private CommandLineFixture command;

  @BeforeEach
  void command() {
    data = folder.resolve("data");
    command = new CommandLineFixture(data);
  }

  @Test
  void aSecondPersonApprovesAndTheLogTellsOfBoth() throws Exception {
    VersionId version = publishPassed(1);
    did("policies", "approvals", NAME, "champion", "--why", "four eyes", "--who", "ann");
    String[] promote = {"promote", version.value(), "--why", "passed", "--who", "ann"};
    assertEquals(ExitCode.NO, command.runOnData(promote));
    assertTrue(command.errors().contains("policies approve 2"), command.errors());
    assertEquals(1, did("policies", "log", "--proposals").get("releases").size());
    assertEquals(
        ExitCode.NO,
        command.runOnData("policies", "approve", "2", "--why", "mine", "--who", "ann"));
    did("policies", "approve", "2", "--why", "read its report", "--who", "bob");
    assertEquals(Optional.of(version), command.store().alias(NAME, Alias.CHAMPION));
    JsonNode log = did("policies", "log", NAME);
    assertEquals("approved", log.at("/releases/2/kind").textValue());
    assertEquals("bob", log.at("/releases/2/who").textValue());
    assertEquals("ann", log.at("/releases/2/move/who").textValue());
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.runOnData("policies", "decline", "2", "--why", "x", "--who", "bob"));
  }

  @Test
  void pinsAndFreezesHoldUntilTheyAreTakenAway() throws Exception {
    VersionId first = publishPassed(1);
    VersionId second = publishPassed(2);
    did("promote", first.value(), "--why", "passed");
    Instant then =
        Instant.parse(did("policies", "pin", first.value(), "--why", "x").get("at").asText());
    did("promote", second.value(), "--why", "passed");
    JsonNode now = did("policies", "at", Instant.now().toString(), NAME).at("/policies/0");
    assertEquals(first.value(), now.get("serving").textValue());
    assertEquals(second.value(), now.at("/aliases/champion").textValue());
    assertEquals(
        first.value(),
        did("policies", "at", then.toString()).at("/policies/0/aliases/champion").textValue());
    did("policies", "unpin", NAME, "--why", "over");
    did("policies", "freeze", NAME, "--why", "audit");
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("rollback", NAME, "--why", "worse"));
    assertTrue(command.errors().contains("is frozen"), command.errors());
    did("policies", "unfreeze", NAME, "--why", "done");
    did("policies", "freeze", "--all", "--why", "audit");
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("rollback", NAME, "--why", "worse"));
    did("policies", "unfreeze", "--all", "--why", "done");
    did("rollback", NAME, "--why", "worse");
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("policies", "freeze", "--why", "x"));
    assertEquals(
        ExitCode.WRONG_INPUT, command.runOnData("policies", "freeze", "feed", "--why", "x"));
  }

  /** A data folder of an earlier release has a key, and moves without a log. */
  @Test
  void anOldDataFolderIsTakenOverWhenASystemStartsOnIt() throws Exception {
    VersionId version = publishPassed(1);
    LocalStore.prepare(data, Clock.systemUTC());
    AliasMove move =
        new AliasMove(1, NAME, Alias.CHAMPION, null, version, false, "ann", "first", Instant.EPOCH);
    new Journal(new FolderDepot(data.resolve("store")), "moves/" + NAME + "/champion")
        .append(1, move.toBytes());
    JsonNode before = command.resultOf(ExitCode.NO, "policies", "log");
    assertTrue(before.get("broken").textValue().contains("are not signed"), before::toString);
    LocalStore.prepare(data, Clock.systemUTC());
    assertEquals("begun", did("policies", "log").at("/releases/0/kind").textValue());
    assertEquals(Optional.of(version), command.store().alias(NAME, Alias.CHAMPION));
  }

  @Test
  void aKeyIsChangedThenRevokedAndTheLogVouchedForAgain() throws Exception {
    VersionId version = publishPassed(1);
    LocalStore.prepare(data, Clock.systemUTC());
    String old = did("policies", "keys").get("signs").textValue();
    did("promote", version.value(), "--why", "passed");
    String fresh = did("policies", "keys", "--rotate").get("signs").textValue();
    did("rollback", NAME, "--why", "worse");
    JsonNode log = did("policies", "log");
    assertEquals(old, log.at("/releases/0/key").textValue());
    assertEquals(fresh, log.at("/releases/1/key").textValue());
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("policies", "keys", "--revoke", fresh));
    did("policies", "keys", "--revoke", old);
    JsonNode broken = command.resultOf(ExitCode.NO, "policies", "log");
    assertTrue(broken.get("broken").textValue().contains("was revoked"), broken::toString);
    assertEquals(
        ExitCode.UNAVAILABLE, command.runOnData("promote", version.value(), "--why", "passed"));
    assertEquals(ExitCode.NO, command.runOnData("policies", "verify", version.value()));
    did("policies", "sign", "--log");
    did("policies", "sign", version.value());
    assertEquals(3, did("policies", "log").get("releases").size());
    did("promote", version.value(), "--why", "passed");
    did("policies", "verify", version.value());
  }

  /** It would be an entry beyond which nobody follows the log. */
  @Test
  void aKeyThatTheFolderDoesNotTrustMovesNothing() throws Exception {
    VersionId version = publishPassed(1);
    LocalStore.prepare(data, Clock.systemUTC());
    SigningKey stranger = SigningKey.generate();
    PolicyStore store = LocalStore.open(data, Clock.systemUTC(), move -> {}, stranger);
    MoveRequest wanted =
        new MoveRequest(NAME, Alias.CHAMPION, null, version, "ann", "passed", null);
    assertThrows(PromotionRefusedException.class, () -> store.move(wanted));
    stranger.writePublic(LocalStore.trustedKeys(data).resolve("ann.pem"));
    store.move(wanted);
    assertEquals(stranger.id().value(), did("policies", "log").at("/releases/0/key").textValue());
  }

  @Test
  void anAlteredLogIsShownAsFarAsItCanBeFollowed() throws Exception {
    VersionId version = publishPassed(1);
    LocalStore.prepare(data, Clock.systemUTC());
    did("promote", version.value(), "--why", "passed");
    did("rollback", NAME, "--why", "worse");
    Path entry = data.resolve("store/log/00000002.json");
    byte[] bytes = Files.readAllBytes(entry);
    bytes[100] ^= 1;
    Files.write(entry, bytes);
    JsonNode log = command.resultOf(ExitCode.NO, "policies", "log");
    assertEquals(1, log.get("releases").size());
    assertTrue(log.get("broken").textValue().contains("entry 2"), log::toString);
    JsonNode then = command.resultOf(ExitCode.NO, "policies", "at", "2999-01-01T00:00:00Z");
    assertEquals(log.get("broken"), then.get("broken"));
    assertEquals(ExitCode.UNAVAILABLE, command.runOnData("rollback", NAME, "--why", "worse"));
  }

  private JsonNode did(String... arguments) throws Exception {
    return command.resultOf(ExitCode.DONE, arguments);
  }

  private VersionId publishPassed(int second) throws Exception {
    VersionId version = command.publishRanking(second);
    byte[] json = "{\"verdict\":\"pass\"}".getBytes(StandardCharsets.UTF_8);
    command.store().attach(version, EvidenceKind.VERDICT, json, "test");
    return version;
  }
}
