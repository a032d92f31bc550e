package io.bellwether.serving.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class BucketTest {

  private static final int EACH = 250_000;

  /** Of a chi-square with 9999 degrees of freedom; 4.5 standard deviations above its mean. */
  private static final double CHI_SQUARE_LIMIT = 9999 + 4.5 * Math.sqrt(2 * 9999);

  private final JsonNode golden = golden();

  @Test
  void goldenVectorsAreReproduced() {
    for (JsonNode vector : golden.path("vectors")) {
      assertEquals(
          vector.path("bucket").intValue(),
          Bucket.of(vector.path("salt").textValue(), vector.path("unit").textValue()),
          vector::toString);
    }
  }

  @Test
  void goldenDecilesAreReproduced() {
    int[] deciles = new int[10];
    for (int i = 0; i < 100_000; i++) {
      deciles[Bucket.of("exp-1", "u" + i) / 1000]++;
    }
    for (int i = 0; i < deciles.length; i++) {
      assertEquals(golden.path("uniformity").path("deciles").path(i).intValue(), deciles[i]);
    }
  }

  @Test
  void goldenIndependenceIsReproduced() {
    int[][] table = new int[2][2];
    for (int i = 0; i < 100_000; i++) {
      int row = Bucket.of("exp-1", "u" + i) < 5000 ? 1 : 0;
      table[row][Bucket.of("exp-2", "u" + i) < 5000 ? 1 : 0]++;
    }
    JsonNode expected = golden.path("independence").path("table_low_high");
    for (int row = 0; row < 2; row++) {
      for (int column = 0; column < 2; column++) {
        assertEquals(expected.path(row).path(column).intValue(), table[row][column]);
      }
    }
  }

  @Test
  void aMillionIdsOfFourKindsFillAllBucketsEvenly() {
    int[] all = new int[Bucket.COUNT];
    MessageDigest sha256 = sha256();
    fill(all, i -> Integer.toString(i));
    fill(all, i -> new UUID(i * 0x9e3779b97f4a7c15L, i * 0xc2b2ae3d27d4eb4fL).toString());
    fill(
        all,
        i ->
            HexFormat.of()
                .formatHex(sha256.digest(("person" + i + "@example.org").getBytes(UTF_8))));
    fill(all, i -> "用户-" + i + "-é-👩‍👩‍👧");
    assertEven(all, 4 * EACH);
  }

  private static void fill(int[] all, IntFunction<String> ids) {
    int[] own = new int[Bucket.COUNT];
    for (int i = 0; i < EACH; i++) {
      own[Bucket.of("ranking-2026", ids.apply(i))]++;
    }
    assertEven(own, EACH);
    for (int bucket = 0; bucket < own.length; bucket++) {
      all[bucket] += own[bucket];
    }
  }

  private static void assertEven(int[] counts, int total) {
    double expected = total / (double) counts.length;
    double chiSquare = 0;
    for (int count : counts) {
      chiSquare += (count - expected) * (count - expected) / expected;
    }
    assertTrue(chiSquare < CHI_SQUARE_LIMIT, "chi-square " + chiSquare);
  }

  @Test
  void experimentsWithTheirOwnSaltsAreIndependent() {
    String[] salts = {"rank", "rank-2", "rank2", "xrank", "layer.rank"};
    int ids = 100_000;
    boolean[][] treated = new boolean[salts.length][ids];
    for (int s = 0; s < salts.length; s++) {
      for (int i = 0; i < ids; i++) {
        treated[s][i] = Bucket.of(salts[s], "user-" + i) < 5000;
      }
    }
    for (int a = 0; a < salts.length; a++) {
      for (int b = a + 1; b < salts.length; b++) {
        double phi = phi(treated[a], treated[b]);
        assertTrue(Math.abs(phi) < 0.01, salts[a] + " and " + salts[b] + ": phi " + phi);
      }
    }
  }

  private static double phi(boolean[] first, boolean[] second) {
    double both = 0;
    double ones = 0;
    double twos = 0;
    for (int i = 0; i < first.length; i++) {
      both += first[i] && second[i] ? 1 : 0;
      ones += first[i] ? 1 : 0;
      twos += second[i] ? 1 : 0;
    }
    double n = first.length;
    return (n * both - ones * twos) / Math.sqrt(ones * (n - ones) * twos * (n - twos));
  }

  @Test
  void anExperimentInsideAnothersVariantIsSplitEvenly() {
    String[] inner = {"rank-2", "rank2", "xrank"};
    int[] inside = new int[2];
    int[][] treated = new int[inner.length][2];
    for (int i = 0; i < 200_000; i++) {
      String id = "user-" + i;
      int outer = Bucket.of("rank", id) < 5000 ? 1 : 0;
      inside[outer]++;
      for (int e = 0; e < inner.length; e++) {
        treated[e][outer] += Bucket.of(inner[e], id) < 5000 ? 1 : 0;
      }
    }
    for (int e = 0; e < inner.length; e++) {
      assertEquals(0.5, treated[e][0] / (double) inside[0], 0.005, inner[e]);
      assertEquals(0.5, treated[e][1] / (double) inside[1], 0.005, inner[e]);
    }
  }

  @Test
  void variantsInsideATenthOfALayerAreEven() {
    int[] counts = new int[3];
    int inside = 0;
    for (int i = 0; i < 300_000; i++) {
      if (Bucket.of("layer.home", "user-" + i) < 1000) {
        inside++;
        counts[Bucket.of("exp-1", "user-" + i) * 3 / Bucket.COUNT]++;
      }
    }
    for (int count : counts) {
      assertEquals(1 / 3.0, count / (double) inside, 0.01);
    }
  }

  @Test
  void idsAreUsedByteForByte() {
    assertTrue(Bucket.of("x", "\u00e9") != Bucket.of("x", "e\u0301"), "composed and decomposed");
    assertTrue(Bucket.of("x", "USER-1") != Bucket.of("x", "user-1"), "case");
    assertTrue(Bucket.of("x", " user-1") != Bucket.of("x", "user-1"), "blanks");
  }

  @Test
  void aLongIdAfterAShortOneIsNotMixedUpWithIt() {
    String longId = "用".repeat(5000);
    int bucket = Bucket.of("x", longId);
    assertEquals(473, Bucket.of("x", "😀"));
    assertEquals(bucket, Bucket.of("x", longId));
  }

  static JsonNode golden() {
    try (InputStream file =
        BucketTest.class.getResourceAsStream("/golden/assignment_expected.json")) {
      return new ObjectMapper().readTree(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
