package io.bellwether.policy.s3;

import io.bellwether.policy.object.Depot;
import io.bellwether.policy.object.FolderDepot;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where a policy store is, as people write it: a folder, or a bucket. Immutable. */
public sealed interface StoreAddress {

  /**
   * A folder.
   *
   * @param folder absolute
   */
  record Folder(Path folder) implements StoreAddress {
    public Folder {
      folder = folder.toAbsolutePath().normalize();
    }

    @Override
    public Depot open(Map<String, String> environment) {
      return new FolderDepot(folder);
    }

    @Override
    public String toString() {
      return folder.toString();
    }
  }

  /**
   * A bucket, {@code s3://bucket/prefix?endpoint=https://host:port&region=name}.
   *
   * @param bucket its name
   * @param prefix in front of every key, without slashes at its ends; may be empty
   * @param endpoint of the service, absent for that of Amazon in the region
   * @param region {@code us-east-1} where none is named
   */
  record Bucket(String bucket, String prefix, @Nullable URI endpoint, String region)
      implements StoreAddress {

    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern PREFIX =
        Pattern.compile("([A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?");

    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,64}");

    public Bucket {
      if (!REGION.matcher(region).matches()) {
        throw new IllegalArgumentException("'" + region + "' is not the name of a region");
      }
      if (!BUCKET.matcher(bucket).matches()) {
        throw new IllegalArgumentException("'" + bucket + "' is not the name of a bucket");
      }
      if (!PREFIX.matcher(prefix).matches()) {
        throw new IllegalArgumentException(
            "'" + prefix + "' cannot stand in front of names, expected words between slashes");
      }
      if (endpoint != null
          && (endpoint.getHost() == null
              || endpoint.getUserInfo() != null
              || !("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme())))) {
        // Without the value: what is in front of an @ may be a secret.
        throw new IllegalArgumentException(
            "an endpoint is http(s)://host:port, and credentials come from the environment alone");
      }
    }

    /**
     * @throws IllegalArgumentException where the environment has no credentials
     */
    @Override
    public Depot open(Map<String, String> environment) {
      return S3Depot.open(this, environment);
    }

    @Override
    public String toString() {
      return "s3://%s%s%s"
          .formatted(
              bucket,
              prefix.isEmpty() ? "" : "/" + prefix,
              endpoint == null ? "" : " at " + endpoint);
    }
  }

  /**
   * The store's depot.
   *
   * @param environment of the process; a bucket's credentials come from {@code AWS_ACCESS_KEY_ID},
   *     {@code AWS_SECRET_ACCESS_KEY} and, for passing ones, {@code AWS_SESSION_TOKEN}
   */
  Depot open(Map<String, String> environment);

  /**
   * The address that a person wrote: {@code s3://…} is a bucket, all else a folder.
   *
   * @throws IllegalArgumentException where it begins so and is none
   */
  static StoreAddress of(String text) {
    if (!text.startsWith("s3://")) {
      return new Folder(Path.of(text));
    }
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "the address of the bucket cannot be read: " + e.getReason());
    }
    String authority = uri.getRawAuthority();
    if (authority == null || authority.contains("@") || uri.getFragment() != null) {
      throw new IllegalArgumentException(
          "expected s3://bucket/prefix?endpoint=https://host:port&region=name;"
              + " credentials come from the environment alone");
    }
    URI endpoint = null;
    String region = "us-east-1";
    String query = uri.getRawQuery();
    for (String parameter : query == null ? new String[0] : query.split("&", -1)) {
      int equals = parameter.indexOf('=');
      String key = equals < 0 ? parameter : parameter.substring(0, equals);
      String value =
          equals < 0
              ? ""
              : URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8);
      switch (key) {
        case "endpoint" -> endpoint = endpoint(value);
        case "region" -> region = value;
        default ->
            throw new IllegalArgumentException(
                "'" + key + "' is not known in s3://bucket/prefix?endpoint=…&region=…");
      }
    }
    String prefix = uri.getPath() == null ? "" : uri.getPath();
    return new Bucket(authority, prefix.replaceAll("^/+|/+$", ""), endpoint, region);
  }

  private static URI endpoint(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("the endpoint cannot be read: " + e.getReason());
    }
  }
}
