package io.bellwether.infra.command;

import io.bellwether.infra.local.LocalStore;
import io.bellwether.policy.object.Depot;
import io.bellwether.policy.s3.StoreAddress;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.PolicyStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --store}, the same for every verb that works on policy versions. */
final class StoreOption {
  @Option(
      names = "--store",
      paramLabel = "PLACE",
      description = {
        "Folder of the policy versions, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME with"
            + " credentials in the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)"
            + " (default: store in the data folder)."
      })
  private @Nullable String place;

  /** Where the store is, given the data folder. */
  StoreAddress address(Path data) {
    if (place == null) {
      return own(data);
    }
    try {
      return StoreAddress.of(place);
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          "--store is no place of a policy store: " + e.getMessage() + ".",
          "Name a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST:PORT&region=NAME.");
    }
  }

  /** The depot there. */
  Depot depot(Path data) {
    return open(address(data));
  }

  /** The store there. */
  PolicyStore open(Path data, Clock clock) {
    return new PolicyStore(depot(data), clock, move -> {}, null);
  }

  /** The depot at an address. */
  static Depot open(StoreAddress address) {
    try {
      return address.open(System.getenv());
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          address + " cannot be opened: " + e.getMessage() + ".",
          "Export AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN if there is"
              + " one.");
    }
  }

  /** The store of a data folder itself. */
  static StoreAddress own(Path data) {
    return new StoreAddress.Folder(data.resolve("store"));
  }

  /** The store there, to publish in: {@link #forMoving} without anybody to tell. */
  PolicyStore forPublishing(Path data, Clock clock) {
    return forMoving(data, clock, move -> {});
  }

  /**
   * The store there. What is published or moved is signed with the key that {@code
   * BELLWETHER_SIGNING_KEY} names, otherwise with that of the data folder where it is that folder's
   * own store.
   *
   * @param announcement told of each move after it happened
   */
  PolicyStore forMoving(Path data, Clock clock, Consumer<AliasMove> announcement) {
    String named = System.getenv().getOrDefault("BELLWETHER_SIGNING_KEY", "");
    SigningKey key = named.isBlank() ? null : SigningKey.read(Path.of(named));
    if (address(data).equals(own(data))) {
      return key == null
          ? LocalStore.open(data, clock, announcement)
          : LocalStore.open(data, clock, announcement, key);
    }
    return new PolicyStore(depot(data), clock, announcement, key);
  }
}
