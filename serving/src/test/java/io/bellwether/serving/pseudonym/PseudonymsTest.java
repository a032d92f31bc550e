package io.bellwether.serving.pseudonym;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PseudonymsTest {

  private static final Pseudonyms OURS =
      new Pseudonyms(Optional.of("a secret of today"), List.of("a secret of yesterday"));

  /** RFC 4231, test case 1. */
  @Test
  void aPseudonymIsTheStandardsHmac() {
    Pseudonyms published = new Pseudonyms(Optional.of("\u000b".repeat(20)), List.of());
    byte[] expected =
        HexFormat.of().parseHex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    assertEquals(
        "p." + Base64.getUrlEncoder().withoutPadding().encodeToString(expected),
        published.of("Hi There"));
  }

  @Test
  void theSameIdGivesTheSamePseudonymAndAnotherKeyAnother() {
    assertEquals(OURS.of("u-1"), OURS.of("u-1"));
    assertNotEquals(OURS.of("u-1"), OURS.of("u-2"));
    assertNotEquals(OURS.of("u-1"), PseudonymsFixture.under("a secret of others").of("u-1"));
  }

  @Test
  void placeholdersStayAndWithoutAKeyEverythingDoes() {
    assertEquals("anonymous", OURS.of("anonymous"));
    assertEquals("u-1", Pseudonyms.NONE.of("u-1"));
    assertEquals(List.of("u-1"), Pseudonyms.NONE.everOf("u-1"));
    assertFalse(Pseudonyms.NONE.active());
  }

  @Test
  void whatWasLoggedUnderEarlierKeysIsFoundToo() {
    List<String> ever = OURS.everOf("u-1");
    assertEquals(3, ever.size());
    assertTrue(ever.contains("u-1"));
    assertTrue(ever.contains(PseudonymsFixture.under("a secret of yesterday").of("u-1")));
  }

  @Test
  void aDeclarationThatIsSentAgainKeepsItsPseudonyms() {
    String kept = OURS.ofDeclared("u-1");
    assertEquals(kept, OURS.ofDeclared(kept));
    assertEquals(OURS.of("u-1"), kept);
  }

  @Test
  void aRequestsDigestCannotBeComputedWithoutTheKey() {
    byte[] body = "{}".getBytes(UTF_8);
    assertNotEquals(Pseudonyms.NONE.digest(body), OURS.digest(body));
    assertEquals(64, OURS.digest(body).length());
  }

  @Test
  void aShortKeyIsRefused() {
    assertThrows(
        IllegalStateException.class, () -> new Pseudonyms(Optional.of("short"), List.of()));
  }
}
