package io.bellwether.infra.command;

import io.bellwether.infra.local.LocalStore;
import io.bellwether.policy.object.CorruptObjectException;
import io.bellwether.policy.signature.TrustedKeys;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.policy.version.Vouched;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells whether a version is whole and by whom it is signed. */
@Command(
    name = "verify",
    description = {
      "Check that every file of a version is what its manifest says, and that a trusted key signed"
          + " it.",
      "Ends with 1 where it is not so."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies verify v0123456789ab",
      "  bellwether policies verify v0123456789ab --keys /etc/bellwether/keys"
    })
final class PoliciesVerifyVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption storeOption = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "VERSION", description = "As policies lists it.")
  private VersionId id;

  @Option(
      names = "--keys",
      paramLabel = "DIR",
      description = "Folder of the trusted public keys (default: that of the data folder).")
  private @Nullable Path keys;

  /** Picocli sets the version before the verb runs. */
  @SuppressWarnings("NullAway.Init")
  PoliciesVerifyVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    PolicyStore store = storeOption.open(data.folder(), Clock.systemUTC());
    TrustedKeys trusted = trusted(keys == null ? LocalStore.trustedKeys(data.folder()) : keys);
    try {
      for (PolicyFile file : store.manifest(id).files()) {
        store.file(id, file.path());
        terminal.print("whole      " + file.path() + ", " + file.size() + " bytes");
      }
    } catch (CorruptObjectException e) {
      return no(String.valueOf(e.getMessage()));
    }
    Vouched vouched = store.vouched(id, trusted);
    if (vouched instanceof Vouched.By by) {
      terminal.print("signed by  " + by.key().value());
      json.write(Map.of("version", id.value(), "verified", true, "key", by.key().value()));
      return ExitCode.DONE;
    }
    return no(
        vouched instanceof Vouched.Broken broken
            ? broken.reason()
            : ((Vouched.Nobody) vouched).reason());
  }

  private int no(String reason) {
    terminal.print("NOT SO     " + reason);
    json.write(Map.of("version", id.value(), "verified", false, "reason", reason));
    return ExitCode.NO;
  }

  private static TrustedKeys trusted(Path place) {
    try {
      return TrustedKeys.read(place);
    } catch (RuntimeException e) {
      throw CommandFailed.wrongInput(
          String.valueOf(e.getMessage()), "Name a folder of public keys (*.pem) with --keys.");
    }
  }
}
