package io.bellwether.infra.command;

import io.bellwether.infra.local.LocalStore;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.signature.TrustedKeys;
import io.bellwether.policy.version.Guard;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.Release;
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
      "What is signed is the hash of its manifest, which holds the hashes of all its files.",
      "Or vouch for the release log as it is: for one that was not signed, or whose key was"
          + " revoked."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies sign v0123456789ab",
      "  bellwether policies sign v0123456789ab --key release.pem --store /mnt/policies",
      "  bellwether policies sign --log --key release.pem"
    })
final class PoliciesSignVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption storeOption = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "VERSION", arity = "0..1", description = "As policies lists it.")
  private @Nullable VersionId id;

  @Option(
      names = "--log",
      description = "Vouch for all entries of the release log; look at them first.")
  private boolean log;

  @Option(names = "--why", paramLabel = "TEXT", description = "The reason, for the release log.")
  private String why = "looked at all of it";

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

  PoliciesSignVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    SigningKey key = key(file == null ? LocalStore.keyFile(data.folder()) : file);
    PolicyStore store = storeOption.open(data.folder(), Clock.systemUTC());
    VersionId version = id;
    if (log == (version != null)) {
      throw CommandFailed.wrongInput("What is to be signed?", "Name a version, or give --log.");
    }
    if (version == null) {
      terminal.print(ReleaseLine.of(adopt(store, key)));
      json.write(Map.of("log", true, "key", key.id().value()));
      return ExitCode.DONE;
    }
    store.sign(version, key, who);
    terminal.print(version + " is signed with key " + key.id().value());
    json.write(Map.of("version", version.value(), "key", key.id().value()));
    return ExitCode.DONE;
  }

  /** What this key signed, or nobody; what others signed is vouched for by it from now on. */
  private Release adopt(PolicyStore store, SigningKey key) {
    TrustedKeys trusted = TrustedKeys.of(key);
    return store
        .guardedBy(new Guard(() -> trusted, true, null))
        .releases()
        .adopt(key, who, MoveOptions.filled("--why", why));
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
