package io.bellwether.policy.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bellwether.policy.object.FolderDepot;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoreAddressTest {

  @Test
  void anAddressNamesBucketPrefixEndpointAndRegion() {
    assertEquals(
        new StoreAddress.Bucket(
            "models", "team/a", URI.create("https://minio.example:9000"), "eu-central-1"),
        StoreAddress.of(
            "s3://models/team/a/?endpoint=https://minio.example:9000&region=eu-central-1"));
    assertEquals(
        new StoreAddress.Bucket("models", "", null, "us-east-1"), StoreAddress.of("s3://models"));
    assertEquals(
        "s3://models/team at http://127.0.0.1:9",
        StoreAddress.of("s3://models/team?endpoint=http%3A%2F%2F127.0.0.1%3A9").toString());
  }

  @Test
  void allElseIsAFolder() {
    StoreAddress folder = StoreAddress.of("some/../place");
    assertEquals(new StoreAddress.Folder(Path.of("place")), folder);
    assertInstanceOf(FolderDepot.class, folder.open(Map.of()));
  }

  @Test
  void whatIsNoneIsRefusedWithoutRepeatingWhatMayBeSecret() {
    for (String text :
        List.of(
            "s3://who:hush@models/p",
            "s3://models/p?endpoint=http://who:hush@host",
            "s3://models/p?endpoint=http://who:hush@ho%20st:port",
            "s3://models/p?endpoint=ftp://host",
            "s3://models/p?key=hush",
            "s3://models/p?region=",
            "s3://models/../p",
            "s3://Models",
            "s3://")) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> StoreAddress.of(text), text);
      assertFalse(e.toString().contains("hush"), e.toString());
    }
  }
}
