package io.bellwether.policy.signature;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Set;

/**
 * An Ed25519 key that signs (RFC 8032). Its file holds both halves in PEM, {@code PRIVATE KEY}
 * (PKCS #8, as {@code openssl genpkey -algorithm ed25519} writes it) and {@code PUBLIC KEY}.
 * Immutable and thread-safe; {@link #toString} tells the id and nothing else.
 */
public final class SigningKey {

  static final String ALGORITHM = "Ed25519";
  static final String PUBLIC = "PUBLIC KEY";
  private static final String PRIVATE = "PRIVATE KEY";

  private final PrivateKey secret;
  private final PublicKey published;
  private final KeyId id;

  private SigningKey(PrivateKey secret, PublicKey published) {
    this.secret = secret;
    this.published = published;
    this.id = KeyId.of(published);
  }

  /** A new key, from the platform's secure randomness. */
  public static SigningKey generate() {
    try {
      KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      return new SigningKey(pair.getPrivate(), pair.getPublic());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java 17 has " + ALGORITHM, e);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException where the file holds no such pair of keys
   */
  public static SigningKey read(Path file) {
    try {
      String text = Files.readString(file, US_ASCII);
      KeyFactory keys = KeyFactory.getInstance(ALGORITHM);
      SigningKey key =
          new SigningKey(
              keys.generatePrivate(new PKCS8EncodedKeySpec(Pem.read(PRIVATE, text))),
              keys.generatePublic(new X509EncodedKeySpec(Pem.read(PUBLIC, text))));
      byte[] probe = file.toString().getBytes(US_ASCII);
      if (!verifies(key.published, probe, key.sign(probe))) {
        throw new IllegalArgumentException("its two halves are not of one key");
      }
      return key;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the signing key " + file, e);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(file + " is no signing key: " + e.getMessage(), e);
    }
  }

  /**
   * Writes both halves to a new file that its owner alone can read.
   *
   * @throws IllegalArgumentException where the file is there already: a key is never written over
   */
  public void write(Path file) {
    String text =
        Pem.write(PRIVATE, secret.getEncoded()) + Pem.write(PUBLIC, published.getEncoded());
    try {
      createFolder(file);
      Files.createFile(file, ownersAlone(file));
      Files.writeString(file, text, US_ASCII, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException e) {
      throw new IllegalArgumentException(file + " is there already", e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the signing key " + file, e);
    }
  }

  /** Writes the public half, for those who are to trust this key, in place of what is there. */
  public void writePublic(Path file) {
    try {
      createFolder(file);
      Files.writeString(file, Pem.write(PUBLIC, published.getEncoded()), US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the public key " + file, e);
    }
  }

  public KeyId id() {
    return id;
  }

  PublicKey published() {
    return published;
  }

  byte[] sign(byte[] message) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(secret);
      signature.update(message);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key that was read cannot sign", e);
    }
  }

  /** Whether this is the key's signature of the message; a malformed one is not. */
  static boolean verifies(PublicKey key, byte[] message, byte[] signed) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(key);
      signature.update(message);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "signing key " + id;
  }

  private static FileAttribute<?>[] ownersAlone(Path file) {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return new FileAttribute<?>[0];
    }
    Set<PosixFilePermission> owner = PosixFilePermissions.fromString("rw-------");
    return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(owner)};
  }

  private static void createFolder(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
  }
}
