package io.bellwether.infra.command;

import io.bellwether.infra.local.LocalStore;
import io.bellwether.policy.signature.KeyId;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.signature.TrustedKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows whose signatures count, or makes a new key. */
@Command(
    name = "keys",
    description = {
      "Show whose signatures count in the data folder; make, change or revoke a key.",
      "A key that is changed stays trusted, and what it signed with it, until it is revoked.",
      "Serving elsewhere takes the folder of public keys as bellwether.policy-keys."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies keys",
      "  bellwether policies keys --new release.pem     and release.pub.pem, for those who trust"
          + " it",
      "  bellwether policies keys --rotate              a new key signs from now on",
      "  bellwether policies keys --revoke 5f2c...      what only that one signed counts no more"
    })
final class PoliciesKeysVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--new",
      paramLabel = "FILE",
      description = "Make a key: FILE, which only you can read, and its public half beside it.")
  private @Nullable Path fresh;

  @Option(
      names = "--rotate",
      description = "Let a new key sign from now on; the one of before stays trusted.")
  private boolean rotate;

  @Option(
      names = "--revoke",
      paramLabel = "ID",
      description = "Trust a key no more, nor what it has signed; running services follow.")
  private @Nullable String revoked;

  PoliciesKeysVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    String id = revoked;
    if ((fresh == null ? 0 : 1) + (rotate ? 1 : 0) + (id == null ? 0 : 1) > 1) {
      throw CommandFailed.wrongInput(
          "One at a time.", "Give --new, --rotate or --revoke, and not several of them.");
    }
    if (id != null) {
      return revoke(id);
    }
    if (rotate) {
      return rotate();
    }
    return fresh == null ? show() : make(fresh);
  }

  private int rotate() {
    if (LocalStore.signingKey(data.folder()).isEmpty()) {
      throw CommandFailed.wrongInput(
          "The data folder has no key yet.", "`./bellwether up` makes one.");
    }
    SigningKey key = LocalStore.rotate(data.folder());
    terminal.print("Key " + key.id().value() + " signs from now on");
    terminal.print(
        "A running service signs its own moves with the one of before until it restarts");
    json.write(Map.of("signs", key.id().value()));
    return ExitCode.DONE;
  }

  private int revoke(String id) {
    KeyId key;
    try {
      key = new KeyId(id);
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          String.valueOf(e.getMessage()), "`./bellwether policies keys` lists the ids.");
    }
    if (LocalStore.signingKey(data.folder()).filter(own -> own.id().equals(key)).isPresent()) {
      throw CommandFailed.wrongInput(
          "That key signs what is published here.", "Change it first: --rotate.");
    }
    LocalStore.revoke(data.folder(), key);
    terminal.print("Key " + key.value() + " is revoked");
    terminal.print(
        "Look at `policies log` now, and vouch for what is right: `policies sign --log`");
    json.write(Map.of("revoked", key.value()));
    return ExitCode.DONE;
  }

  private int show() {
    Path trusted = LocalStore.trustedKeys(data.folder());
    List<String> ids =
        Files.isDirectory(trusted)
            ? TrustedKeys.read(trusted).ids().stream().map(key -> key.value()).sorted().toList()
            : List.of();
    String signs = LocalStore.signingKey(data.folder()).map(key -> key.id().value()).orElse("");
    terminal.print(
        ids.isEmpty()
            ? "No key yet in " + trusted + "; `./bellwether up` makes one."
            : "Trusted keys in " + trusted);
    ids.forEach(
        id -> terminal.print("  " + id + (id.equals(signs) ? "  signs what is published" : "")));
    json.write(Map.of("trusted", ids, "signs", signs));
    return ExitCode.DONE;
  }

  private int make(Path file) {
    Path published =
        file.resolveSibling(file.getFileName().toString().replaceFirst("\\.pem$", "") + ".pub.pem");
    SigningKey key = SigningKey.generate();
    try {
      key.write(file);
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          String.valueOf(e.getMessage()), "Name another file: no key is written over.");
    }
    key.writePublic(published);
    terminal.print("Key " + key.id().value());
    terminal.print(
        "  " + file + "  signs: `./bellwether policies sign VERSION --key " + file + "`");
    terminal.print("  " + published + "  for the folder of those who trust it");
    json.write(
        Map.of("id", key.id().value(), "key", file.toString(), "public", published.toString()));
    return ExitCode.DONE;
  }
}
