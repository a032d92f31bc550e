package io.bellwether.policy.signature;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvelopeTest {

  private static final byte[] STATEMENT = "{\"it\":\"is\"}".getBytes(UTF_8);

  private final SigningKey key = SigningKey.generate();
  private final Envelope envelope = Envelope.sign(STATEMENT, Envelope.IN_TOTO, key);

  @TempDir private Path folder;

  /** The example of the DSSE specification, protocol.md. */
  @Test
  void whatIsSignedIsThePreAuthenticationEncodingOfTheSpecification() {
    assertArrayEquals(
        "DSSEv1 29 http://example.com/HelloWorld 11 hello world".getBytes(US_ASCII),
        Envelope.toBeSigned("hello world".getBytes(UTF_8), "http://example.com/HelloWorld"));
  }

  @Test
  void whatIsSignedIsTheSameInEveryLanguage() {
    byte[] here = Envelope.toBeSigned(STATEMENT, Envelope.IN_TOTO);
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertArrayEquals(here, Envelope.toBeSigned(STATEMENT, Envelope.IN_TOTO));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void theSignerIsFoundAmongTheTrustedAndNobodyElseIs() {
    Envelope read = Envelope.fromBytes(envelope.toBytes());
    assertEquals(envelope, read);
    assertArrayEquals(STATEMENT, read.statement());
    assertEquals(Optional.of(key.id()), read.signer(TrustedKeys.of(key)));
    assertEquals(Optional.empty(), read.signer(TrustedKeys.of(SigningKey.generate())));
    assertEquals(Optional.empty(), read.signer(TrustedKeys.none()));
  }

  @Test
  void noByteOfStatementTypeOrSignatureMayDiffer() {
    TrustedKeys trusted = TrustedKeys.of(key);
    byte[] other = STATEMENT.clone();
    other[2] ^= 1;
    String altered = Base64.getEncoder().encodeToString(other);
    Envelope.Signed signed = envelope.signatures().get(0);
    byte[] signature = Base64.getDecoder().decode(signed.signature());
    signature[5] ^= 1;
    List<Envelope> spoilt =
        List.of(
            new Envelope(altered, envelope.payloadType(), envelope.signatures()),
            new Envelope(envelope.payload(), "text/plain", envelope.signatures()),
            new Envelope(
                envelope.payload(),
                envelope.payloadType(),
                List.of(
                    new Envelope.Signed(
                        signed.keyId(), Base64.getEncoder().encodeToString(signature)))),
            new Envelope(
                envelope.payload(),
                envelope.payloadType(),
                List.of(new Envelope.Signed(signed.keyId(), "AAAA"))));
    for (Envelope each : spoilt) {
      assertEquals(Optional.empty(), each.signer(trusted));
      assertTrue(each.claims(trusted));
    }
  }

  @Test
  void keysComeBackFromTheirFiles() throws Exception {
    Path secret = folder.resolve("keys/signing.pem");
    key.write(secret);
    key.writePublic(folder.resolve("trusted/one.pem"));
    SigningKey.generate().writePublic(folder.resolve("trusted/two.pem"));
    Files.writeString(folder.resolve("trusted/README"), "not a key");
    SigningKey read = SigningKey.read(secret);
    assertEquals(key.id(), read.id());
    TrustedKeys trusted = TrustedKeys.read(folder.resolve("trusted"));
    assertEquals(2, trusted.ids().size());
    assertEquals(
        Optional.of(key.id()), Envelope.sign(STATEMENT, Envelope.IN_TOTO, read).signer(trusted));
    assertEquals(Set.of(key.id()), TrustedKeys.read(folder.resolve("trusted/one.pem")).ids());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)));
    assertThrows(IllegalArgumentException.class, () -> key.write(secret));
    assertFalse(key.toString().contains("PRIVATE"));
  }

  @Test
  void aFolderWithoutKeysOrAFileThatIsNoneIsRefused() throws Exception {
    Files.createDirectories(folder.resolve("empty"));
    assertThrows(IllegalArgumentException.class, () -> TrustedKeys.read(folder.resolve("empty")));
    Files.writeString(folder.resolve("bad.pem"), "-----BEGIN PUBLIC KEY-----\nAAAA\n");
    assertThrows(IllegalArgumentException.class, () -> TrustedKeys.read(folder));
    assertThrows(IllegalArgumentException.class, () -> SigningKey.read(folder.resolve("bad.pem")));
    assertThrows(IllegalArgumentException.class, () -> Envelope.fromBytes(new byte[] {1}));
  }

  /**
   * Made by OpenSSL 3: {@code openssl genpkey -algorithm ed25519}, {@code pkeyutl -sign -rawin}.
   */
  @Test
  void aKeyAndASignatureOfAnotherToolVerify() throws Exception {
    Path file = folder.resolve("openssl.pem");
    Files.writeString(file, OPENSSL_PUBLIC);
    TrustedKeys trusted = TrustedKeys.read(file);
    KeyId id = trusted.ids().iterator().next();
    Envelope signed =
        new Envelope(
            Base64.getEncoder().encodeToString(STATEMENT),
            Envelope.IN_TOTO,
            List.of(new Envelope.Signed(id.value(), OPENSSL_SIGNATURE)));
    assertEquals(Optional.of(id), signed.signer(trusted));
  }

  private static final String OPENSSL_PUBLIC =
      """
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEA9ox5uNpNLuRUlD1+r5rHlVMnQv+hsz+83d4scDwhz1g=
      -----END PUBLIC KEY-----
      """;
  private static final String OPENSSL_SIGNATURE =
      "iyeyZ3PypIqeROu5ZjAnqvwGcHZglSBWUguhDFTiK5Cw5+Y3omqE8yuYiTxtet/9siHOhZaHEDEuGJgIM0vyCQ==";
}
