package io.bellwether.policy.version;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.policy.object.CorruptObjectException;
import io.bellwether.policy.signature.Envelope;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.signature.TrustedKeys;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a signature says: "this manifest is that version of that policy", as an in-toto statement
 * whose subject is the manifest by its whole SHA-256. The manifest has the hashes of all files. A
 * version's id alone would not do: it is twelve digits of the hash. Immutable.
 *
 * @see <a href="https://github.com/in-toto/attestation/tree/main/spec/v1">in-toto, version 1</a>
 */
record VersionStatement(PolicyVersion version) {

  private static final String TYPE = "https://in-toto.io/Statement/v1";
  private static final String PREDICATE = "urn:bellwether:policy-version:v1";

  Envelope sign(SigningKey key) {
    return Envelope.sign(bytes(), Envelope.IN_TOTO, key);
  }

  /** Who of the trusted signed just this, by the pieces of evidence that are signatures. */
  Vouched check(
      List<Evidence> signatures, Function<Evidence, byte[]> content, TrustedKeys trusted) {
    if (!VersionId.of(version.manifest()).equals(version.id())) {
      return new Vouched.Broken("the entry of " + version.id() + " names another manifest");
    }
    String broken = "";
    for (Evidence signature : signatures) {
      try {
        Envelope envelope = Envelope.fromBytes(content.apply(signature));
        var signer = envelope.signer(trusted);
        if (signer.isPresent() && isThis(envelope)) {
          return new Vouched.By(signer.get());
        }
        var revoked = envelope.revoked(trusted);
        if (signer.isPresent()) {
          broken = "is by a trusted key and about another version";
        } else if (envelope.claims(trusted)) {
          broken = "names a trusted key that did not make it";
        } else if (revoked.isPresent()) {
          broken = "is by key " + revoked.get() + ", which was revoked";
        }
      } catch (IllegalArgumentException | CorruptObjectException e) {
        broken = "cannot be read: " + e.getMessage();
      }
    }
    if (!broken.isEmpty()) {
      return new Vouched.Broken("a signature of " + version.id() + " " + broken);
    }
    return new Vouched.Nobody(
        signatures.isEmpty()
            ? version.id() + " is not signed"
            : "no signature of " + version.id() + " is by a trusted key");
  }

  private boolean isThis(Envelope envelope) {
    if (!envelope.payloadType().equals(Envelope.IN_TOTO)) {
      return false;
    }
    JsonNode statement = CanonicalJson.tree(envelope.statement());
    return statement.equals(CanonicalJson.tree(bytes()));
  }

  private byte[] bytes() {
    return CanonicalJson.write(
        Map.of(
            "_type",
            TYPE,
            "subject",
            List.of(
                Map.of(
                    "name",
                    version.name() + "/" + version.id(),
                    "digest",
                    Map.of("sha256", version.manifest().sha256()))),
            "predicateType",
            PREDICATE,
            "predicate",
            Map.of("policy", version.name())));
  }
}
