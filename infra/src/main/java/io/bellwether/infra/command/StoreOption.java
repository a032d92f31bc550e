package io.bellwether.infra.command;

import io.bellwether.infra.local.LocalStore;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.version.PolicyStore;
import java.nio.file.Path;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --store}, the same for every verb that works on policy versions. */
final class StoreOption {
  @Option(
      names = "--store",
      paramLabel = "DIR",
      description = "Folder of the policy versions (default: store in the data folder).")
  private @Nullable Path folder;

  /** The folder, given the data folder. */
  Path folder(Path data) {
    return (folder == null ? data.resolve("store") : folder).toAbsolutePath().normalize();
  }

  /**
   * The store in it. What is published is signed with the key that {@code BELLWETHER_SIGNING_KEY}
   * names, otherwise with that of the data folder where it is that folder's own store.
   */
  PolicyStore forPublishing(Path data, Clock clock) {
    String named = System.getenv().getOrDefault("BELLWETHER_SIGNING_KEY", "");
    if (named.isBlank() && folder(data).equals(data.resolve("store"))) {
      return LocalStore.open(data, clock, move -> {});
    }
    return new PolicyStore(
        folder(data), clock, move -> {}, named.isBlank() ? null : SigningKey.read(Path.of(named)));
  }
}
