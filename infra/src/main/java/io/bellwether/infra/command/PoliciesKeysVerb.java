package io.bellwether.infra.command;

import io.bellwether.infra.local.LocalStore;
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
      "Show whose signatures of versions count in the data folder; or make a new key.",
      "Serving elsewhere takes the folder of public keys as bellwether.policy-keys."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies keys",
      "  bellwether policies keys --new release.pem     and release.pub.pem, for those who trust"
          + " it",
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

  PoliciesKeysVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return fresh == null ? show() : make(fresh);
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
