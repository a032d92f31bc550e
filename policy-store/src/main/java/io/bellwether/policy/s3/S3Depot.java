package io.bellwether.policy.s3;

import io.bellwether.policy.object.Depot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A bucket: each value is an object under {@code prefix/name}. The store must be consistent (a read
 * or listing sees every write that ended before it began) and must refuse a conditional write
 * ({@code If-None-Match: *}) of a key that is taken; the first creation in a process tries whether
 * it does. Thread-safe; owns its client.
 */
public final class S3Depot implements Depot, AutoCloseable {

  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(120);
  private static final int TAKEN = 412;
  private static final int IN_CONFLICT = 409;
  private static final int MAX_CONFLICTS = 20;

  /** The metadata that tells whose a value is, when an answer got lost. */
  private static final String WRITER = "writer";

  private static final String PROBES = "probe";
  private static final String PROBE = PROBES + "/conditional-write";

  private final S3Client client;
  private final StoreAddress.Bucket address;
  private volatile boolean conditional;

  private S3Depot(S3Client client, StoreAddress.Bucket address) {
    this.client = client;
    this.address = address;
  }

  /** Opens a bucket; nothing is asked of it yet. */
  static S3Depot open(StoreAddress.Bucket address, Map<String, String> environment) {
    S3ClientBuilder builder =
        S3Client.builder()
            .region(Region.of(address.region()))
            .credentialsProvider(StaticCredentialsProvider.create(credentials(environment)))
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(CONNECT_TIMEOUT)
                    .socketTimeout(READ_TIMEOUT))
            .overrideConfiguration(settings -> settings.apiCallTimeout(CALL_TIMEOUT))
            // Every object is read by its SHA-256, and not every store knows the newer checksums.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
    if (address.endpoint() != null) {
      builder.endpointOverride(address.endpoint()).forcePathStyle(true);
    }
    return new S3Depot(builder.build(), address);
  }

  private static AwsCredentials credentials(Map<String, String> environment) {
    String id = environment.getOrDefault("AWS_ACCESS_KEY_ID", "");
    String secret = environment.getOrDefault("AWS_SECRET_ACCESS_KEY", "");
    String token = environment.getOrDefault("AWS_SESSION_TOKEN", "");
    if (id.isBlank() || secret.isBlank()) {
      throw new IllegalArgumentException(
          "a store in a bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
              + " in the environment");
    }
    return token.isBlank()
        ? AwsBasicCredentials.create(id, secret)
        : AwsSessionCredentials.create(id, secret, token);
  }

  @Override
  public Optional<byte[]> read(String name) {
    String key = keyOf(name);
    return calling(
        "read",
        name,
        () -> {
          try {
            return Optional.of(
                client
                    .getObjectAsBytes(request -> request.bucket(address.bucket()).key(key))
                    .asByteArrayUnsafe());
          } catch (NoSuchKeyException e) {
            return Optional.empty();
          }
        });
  }

  @Override
  public Optional<Stored> find(String name) {
    return calling("look at", name, () -> head(name))
        .map(head -> new Stored(name, head.contentLength(), head.lastModified()));
  }

  private Optional<HeadObjectResponse> head(String name) {
    String key = keyOf(name);
    try {
      return Optional.of(client.headObject(request -> request.bucket(address.bucket()).key(key)));
    } catch (NoSuchKeyException e) {
      return Optional.empty();
    }
  }

  @Override
  public boolean create(String name, byte[] bytes) {
    keyOf(name);
    requireConditionalWrites();
    return calling("write", name, () -> putIfAbsent(name, bytes));
  }

  private boolean putIfAbsent(String name, byte[] bytes) {
    String writer = UUID.randomUUID().toString();
    String key = keyOf(name);
    for (int conflicts = 0; ; conflicts++) {
      try {
        client.putObject(
            request ->
                request
                    .bucket(address.bucket())
                    .key(key)
                    .ifNoneMatch("*")
                    .metadata(Map.of(WRITER, writer)),
            RequestBody.fromBytes(bytes));
        return true;
      } catch (S3Exception e) {
        if (e.statusCode() == TAKEN) {
          // The client repeats a call whose answer it missed: then the key is taken by itself.
          return head(name).map(head -> writer.equals(head.metadata().get(WRITER))).orElse(false);
        }
        if (e.statusCode() != IN_CONFLICT || conflicts == MAX_CONFLICTS) {
          throw e;
        }
      }
    }
  }

  /** A store that ignores the condition would let two writers win, and a move be lost unseen. */
  private void requireConditionalWrites() {
    if (conditional) {
      return;
    }
    boolean refused =
        calling(
            "write",
            PROBE,
            () -> {
              boolean first = putIfAbsent(PROBE, new byte[0]);
              return !first || !putIfAbsent(PROBE, new byte[0]);
            });
    if (!refused) {
      throw new IllegalStateException(
          address
              + " does not refuse a conditional write (If-None-Match: *) of a key that is taken:"
              + " it cannot hold a policy store");
    }
    conditional = true;
  }

  @Override
  public void put(String name, byte[] bytes) {
    String key = keyOf(name);
    calling(
        "write",
        name,
        () ->
            client.putObject(
                request -> request.bucket(address.bucket()).key(key),
                RequestBody.fromBytes(bytes)));
  }

  @Override
  public void delete(String name) {
    String key = keyOf(name);
    calling(
        "delete",
        name,
        () -> client.deleteObject(request -> request.bucket(address.bucket()).key(key)));
  }

  @Override
  public List<Stored> list(String folder) {
    String prefix = keyOf(folder) + "/";
    int before = keyOf("x").length() - 1;
    return calling(
        "list",
        folder,
        () -> {
          List<Stored> found = new ArrayList<>();
          client
              .listObjectsV2Paginator(request -> request.bucket(address.bucket()).prefix(prefix))
              .contents()
              .forEach(
                  object -> {
                    String name = object.key().substring(before);
                    if (NAME.matcher(name).matches()) {
                      found.add(new Stored(name, object.size(), object.lastModified()));
                    }
                  });
          found.sort(Comparator.comparing(Stored::name));
          return found;
        });
  }

  @Override
  public List<String> folders() {
    List<String> folders = new ArrayList<>(foldersIn(address.prefix(), "the folders"));
    folders.remove(PROBES);
    return folders;
  }

  @Override
  public List<String> folders(String folder) {
    return foldersIn(keyOf(folder), folder);
  }

  private List<String> foldersIn(String place, String name) {
    String prefix = place.isEmpty() ? "" : place + "/";
    return calling(
        "list",
        name,
        () -> {
          List<String> found = new ArrayList<>();
          client
              .listObjectsV2Paginator(
                  request -> request.bucket(address.bucket()).prefix(prefix).delimiter("/"))
              .commonPrefixes()
              .forEach(
                  common -> {
                    String inner =
                        common.prefix().substring(prefix.length(), common.prefix().length() - 1);
                    if (NAME.matcher(inner).matches()) {
                      found.add(inner);
                    }
                  });
          found.sort(Comparator.naturalOrder());
          return found;
        });
  }

  private String keyOf(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("'" + name + "' is not a name in a depot");
    }
    return address.prefix().isEmpty() ? name : address.prefix() + "/" + name;
  }

  private <T> T calling(String what, String name, Supplier<T> call) {
    try {
      return call.get();
    } catch (SdkException e) {
      throw new UncheckedIOException(
          new IOException(
              "cannot %s %s in %s: %s".formatted(what, name, address, e.getMessage()), e));
    }
  }

  @Override
  public void close() {
    client.close();
  }

  @Override
  public String toString() {
    return address.toString();
  }
}
