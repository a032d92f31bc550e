package io.bellwether.infra.command;

import io.bellwether.infra.local.LocalStore;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Signs a version, so that those who trust the key serve it. */
@Command(
    name = "sign",
    description = {
      "Sign a version: those who trust the key may serve it.",
      "What is signed is the hash of its manifest, which holds the hashes of all its files."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies sign v0123456789ab",
      "  bellwether policies sign v0123456789ab --key release.pem --store /mnt/policies"
    })
final class PoliciesSignVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption storeOption = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "VERSION", description = "As policies lists it.")
  private VersionId id;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "The signing key (default: that of the data folder).")
  private @Nullable Path file;

  @Option(
      names = "--who",
      paramLabel = "NAME",
      description = "Who signs (default: your name on this machine).")
  private String who = System.getProperty("user.name");

  /** Picocli sets the version before the verb runs. */
  @SuppressWarnings("NullAway.Init")
  PoliciesSignVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    SigningKey key = key(file == null ? LocalStore.keyFile(data.folder()) : file);
    PolicyStore store = new PolicyStore(storeOption.folder(data.folder()), Clock.systemUTC());
    store.sign(id, key, who);
    terminal.print(id + " is signed with key " + key.id().value());
    json.write(Map.of("version", id.value(), "key", key.id().value()));
    return ExitCode.DONE;
  }

  private static SigningKey key(Path place) {
    if (!Files.exists(place)) {
      throw CommandFailed.wrongInput(
          "There is no key " + place + ".", "Make one: `./bellwether policies keys --new FILE`.");
    }
    try {
      return SigningKey.read(place);
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          String.valueOf(e.getMessage()), "Name a file that `policies keys --new` has made.");
    }
  }
}
