package io.bellwether.policy.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.object.Depot;
import io.bellwether.policy.object.DepotContract;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.Drafts;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

class S3DepotIT implements DepotContract {

  private static final String FEED = "home-feed";

  @TempDir static Path folder;
  private static S3Server server;
  private static StoreAddress.Bucket bucket;
  private static int tests;
  private StoreAddress.Bucket address;
  private Depot depot;

  @BeforeAll
  static void startServer() throws Exception {
    server = S3Server.start(folder);
    bucket = server.bucket("policies", "");
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void openBucket(TestInfo test) {
    address =
        new StoreAddress.Bucket(
            bucket.bucket(), "stores/" + ++tests, bucket.endpoint(), bucket.region());
    depot = address.open(S3Server.credentials());
  }

  @Override
  public Depot depot() {
    return depot;
  }

  @Test
  void aStoreIsPublishedMovedAndReadElsewhere() {
    PolicyStore store = new PolicyStore(depot, Clock.systemUTC(), move -> {}, null);
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    store.move(new MoveRequest(FEED, Alias.CHAMPION, null, one, "operator", "test", null));
    store.move(new MoveRequest(FEED, Alias.CHAMPION, one, two, "operator", "test", null));
    PolicyStore other =
        new PolicyStore(address.open(S3Server.credentials()), Clock.systemUTC(), move -> {}, null);
    assertEquals(List.of(FEED), other.names());
    assertEquals(2, other.versions(FEED).size());
    assertEquals(Optional.of(two), other.alias(FEED, Alias.CHAMPION));
    assertEquals(2, other.history(FEED, Alias.CHAMPION).size());
    other.open(two).close();
  }

  @Test
  void twoPrefixesOfABucketAreTwoStores() {
    depot.put("a/one", new byte[1]);
    Depot longer =
        new StoreAddress.Bucket(
                bucket.bucket(), address.prefix() + "0", bucket.endpoint(), bucket.region())
            .open(S3Server.credentials());
    assertEquals(List.of(), longer.list("a"));
    assertEquals(Optional.empty(), longer.read("a/one"));
  }

  @Test
  void aBucketThatIsNotThereFailsAndSaysWhichWithoutTheSecret() {
    Depot nowhere =
        new StoreAddress.Bucket("nowhere", "p", bucket.endpoint(), bucket.region())
            .open(S3Server.credentials());
    UncheckedIOException e =
        assertThrows(UncheckedIOException.class, () -> nowhere.put("a/one", new byte[1]));
    assertTrue(
        String.valueOf(e.getMessage()).contains("a/one in s3://nowhere/p at http"), e.getMessage());
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      assertFalse(cause.toString().contains("a-secret-of-somebody"));
    }
    assertFalse(address.toString().contains("secret"));
    assertThrows(IllegalArgumentException.class, () -> address.open(Map.of()));
  }
}
