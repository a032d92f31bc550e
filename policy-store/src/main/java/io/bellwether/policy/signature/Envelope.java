package io.bellwether.policy.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * A statement with its signatures: a DSSE envelope, version 1. What is signed is not the statement
 * alone but {@code DSSEv1 {length} {type} {length} {statement}}, so that no statement can be taken
 * for one of another type. Immutable.
 *
 * @param payload the statement's bytes, base64
 * @param payloadType its media type
 * @param signatures at least one
 * @see <a href="https://github.com/secure-systems-lab/dsse/blob/master/protocol.md">DSSE</a>
 */
public record Envelope(String payload, String payloadType, List<Signed> signatures) {

  /** In-toto statements in JSON. */
  public static final String IN_TOTO = "application/vnd.in-toto+json";

  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /**
   * One signature.
   *
   * @param keyId which key made it; a hint, as the signature says itself who made it
   * @param signature 64 bytes, base64
   */
  public record Signed(@JsonProperty("keyid") String keyId, @JsonProperty("sig") String signature) {

    public Signed {
      Objects.requireNonNull(keyId, "keyid");
      Objects.requireNonNull(signature, "sig");
    }
  }

  public Envelope {
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(payloadType, "payloadType");
    signatures = List.copyOf(signatures);
    if (signatures.isEmpty()) {
      throw new IllegalArgumentException("an envelope without a signature");
    }
  }

  /** A statement signed by one key. */
  public static Envelope sign(byte[] statement, String type, SigningKey key) {
    byte[] signature = key.sign(toBeSigned(statement, type));
    Base64.Encoder base64 = Base64.getEncoder();
    return new Envelope(
        base64.encodeToString(statement),
        type,
        List.of(new Signed(key.id().value(), base64.encodeToString(signature))));
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws IllegalArgumentException where the bytes are no envelope
   */
  public static Envelope fromBytes(byte[] bytes) {
    try {
      return JSON.readValue(bytes, Envelope.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "these bytes are no DSSE envelope: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read an envelope", e);
    }
  }

  public byte[] toBytes() {
    try {
      return JSON.writeValueAsBytes(this);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot write an envelope", e);
    }
  }

  /** The statement's bytes; worth nothing before {@link #signer} was asked. */
  public byte[] statement() {
    return Base64.getDecoder().decode(payload);
  }

  /** The trusted key that signed this; empty where none did. */
  public Optional<KeyId> signer(TrustedKeys trusted) {
    byte[] message = toBeSigned(statement(), payloadType);
    return signatures.stream()
        .filter(signed -> trusted.contains(signed.keyId()))
        .map(signed -> new Claim(new KeyId(signed.keyId()), signed.signature()))
        .filter(claim -> trusted.verifies(claim.key(), message, claim.bytes()))
        .map(Claim::key)
        .findFirst();
  }

  /** The revoked key that it says signed it; empty where it names none. */
  public Optional<KeyId> revoked(TrustedKeys trusted) {
    return signatures.stream()
        .map(Signed::keyId)
        .filter(trusted::isRevoked)
        .map(KeyId::new)
        .findFirst();
  }

  /**
   * Whether these bytes are just those that {@link #toBytes} writes. Base64 and JSON have several
   * ways to say the same; where only one is taken, no byte can be altered unnoticed.
   */
  public boolean isWrittenAs(byte[] bytes) {
    return Arrays.equals(toBytes(), bytes)
        && isCanonical(payload)
        && signatures.stream().allMatch(signed -> isCanonical(signed.signature()));
  }

  private static boolean isCanonical(String base64) {
    return Base64.getEncoder().encodeToString(Base64.getDecoder().decode(base64)).equals(base64);
  }

  /** Whether it says that a trusted key signed it, be it true or not. */
  public boolean claims(TrustedKeys trusted) {
    return signatures.stream().anyMatch(signed -> trusted.contains(signed.keyId()));
  }

  /** The bytes that are signed, the "pre-authentication encoding" of DSSE. */
  static byte[] toBeSigned(byte[] statement, String type) {
    byte[] head =
        String.format(
                Locale.ROOT,
                "DSSEv1 %d %s %d ",
                type.getBytes(UTF_8).length,
                type,
                statement.length)
            .getBytes(UTF_8);
    byte[] all = new byte[head.length + statement.length];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(statement, 0, all, head.length, statement.length);
    return all;
  }

  private record Claim(KeyId key, String signature) {
    byte[] bytes() {
      return Base64.getDecoder().decode(signature);
    }
  }
}
