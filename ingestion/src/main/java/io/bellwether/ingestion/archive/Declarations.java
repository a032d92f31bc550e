package io.bellwether.ingestion.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.evolution.SurfaceChange;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The declarations under which an archive's decisions were made, each as the bytes of its file
 * under their SHA-256, which is what decisions name. With them rows of an earlier layout can be
 * read. Thread-safe, also between processes.
 */
public final class Declarations {

  private static final String FOLDER = "declarations";
  private static final String SUFFIX = ".yaml";

  /** Of the file that has the digest of the declaration in force. */
  private static final String CURRENT = ".current";

  private final Path root;
  private final Path folder;

  /**
   * @param root of the archive
   */
  public Declarations(Path root) {
    this.root = root;
    this.folder = root.resolve(FOLDER);
  }

  /** Keeps the bytes of a surface file; nothing where they are kept already. */
  public void keep(byte[] yaml) throws IOException {
    Path file = folder.resolve(digest(yaml) + SUFFIX);
    if (!Files.exists(file)) {
      Files.createDirectories(folder);
      Durable.write(file, yaml);
    }
  }

  /**
   * Keeps all surface files of a folder, which are in force from now on.
   *
   * @throws IOException also where one of them has changed in a way that earlier decisions cannot
   *     follow; it says which way, and nothing is kept then
   */
  public void keepFolder(Path surfaces) throws IOException {
    List<Path> files;
    try (Stream<Path> entries = Files.list(surfaces)) {
      files =
          entries
              .filter(each -> each.toString().endsWith(SUFFIX) || each.toString().endsWith(".yml"))
              .sorted()
              .toList();
    }
    List<String> refused = new ArrayList<>();
    Map<String, byte[]> accepted = new LinkedHashMap<>();
    for (Path file : files) {
      byte[] yaml = Files.readAllBytes(file);
      Surface surface = parse(file, yaml);
      for (SurfaceChange change : changes(surface)) {
        if (!change.compatible()) {
          refused.add(file + ", " + change.words());
        }
      }
      accepted.put(surface.name(), yaml);
    }
    if (!refused.isEmpty()) {
      throw new IOException(
          "what was logged in " + root + " cannot follow: " + String.join("; ", refused));
    }
    for (Map.Entry<String, byte[]> each : accepted.entrySet()) {
      putInForce(each.getKey(), each.getValue());
    }
  }

  /** Keeps the bytes of a surface's file, which is in force from now on, whatever was before. */
  public void putInForce(String surface, byte[] yaml) throws IOException {
    keep(yaml);
    Path current = folder.resolve(surface + CURRENT);
    byte[] digest = digest(yaml).getBytes(UTF_8);
    if (!Files.exists(current) || !Arrays.equals(Files.readAllBytes(current), digest)) {
      Durable.write(current, digest);
    }
  }

  /**
   * The declaration that was in force last under this name; empty where none was.
   *
   * @throws IOException also where it is damaged
   */
  public Optional<Surface> current(String surface) throws IOException {
    try {
      return find(Files.readString(folder.resolve(surface + CURRENT)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * How a declaration differs from the one that was in force last; empty where none was. A name
   * that comes back after it was dropped has to mean what it meant: its values are still there.
   */
  public List<SurfaceChange> changes(Surface surface) throws IOException {
    Optional<Surface> before = current(surface.name());
    if (before.isEmpty()) {
      return List.of();
    }
    List<SurfaceChange> changes = SurfaceChange.between(before.get(), surface);
    if (changes.isEmpty()) {
      return changes;
    }
    Map<String, SurfaceChange> refused = new HashMap<>();
    for (Surface earlier : of(surface.name())) {
      for (SurfaceChange change : SurfaceChange.between(earlier, surface)) {
        if (!change.compatible()) {
          refused.put(change.field(), change);
        }
      }
    }
    // A field that has not changed since was accepted then.
    return changes.stream().map(change -> refused.getOrDefault(change.field(), change)).toList();
  }

  /**
   * The surface of this digest; empty where it was never kept.
   *
   * @throws IOException also where the file is damaged
   */
  public Optional<Surface> find(String surfaceDigest) throws IOException {
    if (!surfaceDigest.matches("[0-9a-f]{64}")) {
      return Optional.empty();
    }
    Path file = folder.resolve(surfaceDigest + SUFFIX);
    byte[] yaml;
    try {
      yaml = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    if (!digest(yaml).equals(surfaceDigest)) {
      throw new IOException(file + " was altered: it has not the SHA-256 of its name");
    }
    return Optional.of(parse(file, yaml));
  }

  private static Surface parse(Path file, byte[] yaml) throws IOException {
    try {
      return new SurfaceReader().parse(file.toString(), yaml);
    } catch (InvalidSurfaceException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** All declarations of a surface, in no order that means anything. */
  public List<Surface> of(String surface) throws IOException {
    List<Surface> all = new ArrayList<>();
    for (Path file : files()) {
      find(digestOf(file)).filter(each -> each.name().equals(surface)).ifPresent(all::add);
    }
    return all;
  }

  List<ArchiveCheck.Problem> check() throws IOException {
    List<ArchiveCheck.Problem> problems = new ArrayList<>();
    for (Path file : files()) {
      if (!digest(Files.readAllBytes(file)).equals(digestOf(file))) {
        problems.add(new ArchiveCheck.Problem(file, "has not the SHA-256 of its name"));
      }
    }
    return problems;
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(root) || !Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(each -> !each.getFileName().toString().startsWith("."))
          .filter(each -> each.toString().endsWith(SUFFIX))
          .sorted()
          .toList();
    }
  }

  private static String digestOf(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
