package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.infra.local.LocalStore;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.signature.TrustedKeys;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.VersionId;
import io.bellwether.policy.version.Vouched;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs policies keys, sign and verify on a real store. */
class SignatureVerbsTest {

  @TempDir Path folder;
  private Path data;
  private CommandLineFixture command;

  @BeforeEach
  void command() {
    data = folder.resolve("data");
    command = new CommandLineFixture(data);
  }

  @Test
  void aVersionIsSignedWithANewKeyAndVerifiedByThoseWhoTrustIt() throws Exception {
    VersionId version = command.publishRanking(1);
    Path key = folder.resolve("release.pem");
    Path trusted = folder.resolve("release.pub.pem");
    JsonNode made = command.resultOf(ExitCode.DONE, "policies", "keys", "--new", key.toString());
    String id = made.get("id").textValue();
    assertEquals(trusted.toString(), made.get("public").textValue());
    String[] verify = {"policies", "verify", version.value(), "--keys", trusted.toString()};
    JsonNode before = command.resultOf(ExitCode.NO, verify);
    assertTrue(before.get("reason").textValue().endsWith("is not signed"), before::toString);
    command.resultOf(
        ExitCode.DONE,
        "policies",
        "sign",
        version.value(),
        "--key",
        key.toString(),
        "--who",
        "ann");
    assertEquals(id, command.resultOf(ExitCode.DONE, verify).get("key").textValue());
    assertTrue(
        command
            .resultOf(ExitCode.DONE, "policies", "show", version.value())
            .toString()
            .contains("\"who\":\"ann\""));

    damage(command.store().manifest(version).files().get(0));
    JsonNode after = command.resultOf(ExitCode.NO, verify);
    assertTrue(after.get("reason").textValue().contains("hashes to"), after::toString);
  }

  @Test
  void noKeyIsWrittenOverAndAMissingOneIsSaid() throws Exception {
    VersionId version = command.publishRanking(1);
    Path key = folder.resolve("release.pem");
    SigningKey.generate().write(key);
    assertEquals(
        ExitCode.WRONG_INPUT, command.runOnData("policies", "keys", "--new", key.toString()));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("policies", "sign", version.value()));
    assertTrue(command.errors().contains("policies keys --new"), command.errors());
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("policies", "verify", version.value()));
    assertEquals(0, command.resultOf(ExitCode.DONE, "policies", "keys").get("trusted").size());
  }

  /** What starting a system on the folder does first. */
  @Test
  void theKeyOfADataFolderSignsWhatIsThereAndWhatComes() throws Exception {
    VersionId before = command.publishRanking(1);
    LocalStore.prepare(data, Clock.systemUTC());
    VersionId after = command.publishRanking(2);
    SigningKey key = LocalStore.signingKey(data).orElseThrow();
    TrustedKeys trusted = TrustedKeys.read(LocalStore.trustedKeys(data));
    for (VersionId version : new VersionId[] {before, after}) {
      assertEquals(new Vouched.By(key.id()), command.store().vouched(version, trusted));
      assertEquals(ExitCode.DONE, command.runOnData("policies", "verify", version.value()));
    }
    LocalStore.prepare(data, Clock.systemUTC());
    assertEquals(key.id(), LocalStore.signingKey(data).orElseThrow().id());
    JsonNode keys = command.resultOf(ExitCode.DONE, "policies", "keys");
    assertEquals(key.id().value(), keys.get("signs").textValue());
  }

  private void damage(PolicyFile file) throws Exception {
    Path object =
        data.resolve("store/objects").resolve(file.sha256().substring(0, 2)).resolve(file.sha256());
    byte[] bytes = Files.readAllBytes(object);
    bytes[0] ^= 1;
    Files.write(object, bytes);
  }
}
