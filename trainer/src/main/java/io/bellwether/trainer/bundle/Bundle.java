package io.bellwether.trainer.bundle;

import io.bellwether.policy.version.Evidence;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.report.RewardReports;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * All of a version as named bytes, in a fixed order: {@link #MANIFEST}, the version's files, what
 * MLflow needs, the model card, the Reward Report, and signatures. As a zip it is stored without
 * compression and without times, so that the same version with the same evidence gives the same
 * bytes. Immutable.
 */
public final class Bundle {

  /** The manifest's canonical bytes: their SHA-256 begins with the version's id. */
  public static final String MANIFEST = "policy.json";

  static final String CARD = "MODEL_CARD.md";
  static final String REWARD_REPORT = "REWARD_REPORT.md";
  static final String ATTESTATIONS = "attestations/";

  /** The first day that zip can name. */
  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  /** A graph larger than this is not served either; more is no bundle but an attack. */
  private static final long MOST_BYTES = 1L << 30;

  private static final int MOST_ENTRIES = 1000;
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*");

  private final Map<String, byte[]> entries;

  private Bundle(Map<String, byte[]> entries) {
    this.entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
  }

  /** A version of a store with what is attached to it. */
  public static Bundle of(PolicyStore store, VersionId version) {
    PolicyManifest manifest = store.manifest(version);
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put(MANIFEST, manifest.canonicalBytes());
    for (PolicyFile file : manifest.files()) {
      entries.put(file.path(), store.file(version, file.path()));
    }
    new MlflowModel(version, manifest).files().forEach(entries::put);
    entries.put(CARD, new ModelCard(store).of(version));
    new RewardReports(store)
        .latest(version)
        .ifPresent(report -> entries.put(REWARD_REPORT, report));
    for (Evidence evidence : store.evidence(version)) {
      if (evidence.kind() == EvidenceKind.SIGNATURE) {
        entries.put(ATTESTATIONS + evidence.sequence() + ".dsse.json", store.content(evidence));
      }
    }
    return new Bundle(entries);
  }

  /** The names of the entries, in order. */
  public List<String> names() {
    return List.copyOf(entries.keySet());
  }

  /** An entry's bytes; empty where there is none of this name. */
  public Optional<byte[]> find(String name) {
    return Optional.ofNullable(entries.get(name)).map(byte[]::clone);
  }

  /** Writes the zip; the stream is left open. */
  public void writeZip(OutputStream out) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setMethod(ZipOutputStream.STORED);
    for (Map.Entry<String, byte[]> each : entries.entrySet()) {
      byte[] bytes = each.getValue();
      CRC32 checksum = new CRC32();
      checksum.update(bytes);
      ZipEntry entry = new ZipEntry(each.getKey());
      entry.setTimeLocal(NO_TIME);
      entry.setSize(bytes.length);
      entry.setCrc(checksum.getValue());
      zip.putNextEntry(entry);
      zip.write(bytes);
      zip.closeEntry();
    }
    zip.finish();
    zip.flush();
  }

  /** Writes the entries as files; the folder is made, and must be empty. */
  public void writeFolder(Path folder) throws IOException {
    Files.createDirectories(folder);
    try (Stream<Path> found = Files.list(folder)) {
      if (found.findAny().isPresent()) {
        throw new BundleRefused(folder + " is not empty");
      }
    }
    for (Map.Entry<String, byte[]> each : entries.entrySet()) {
      Path file = folder.resolve(each.getKey());
      Files.createDirectories(file.resolveSibling("x").getParent());
      Files.write(file, each.getValue());
    }
  }

  /**
   * Reads a zip or a folder.
   *
   * @throws BundleRefused where it is neither, or larger than any version is
   */
  public static Bundle read(Path place) throws IOException {
    if (Files.isDirectory(place)) {
      return folder(place);
    }
    try (InputStream in = Files.newInputStream(place)) {
      return zip(in, place);
    }
  }

  private static Bundle zip(InputStream in, Path place) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    long room = MOST_BYTES;
    try (ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (!entry.isDirectory()) {
          byte[] bytes = bounded(zip, room, place);
          room -= bytes.length;
          add(entries, entry.getName(), bytes, place);
        }
      }
    } catch (ZipException e) {
      throw new BundleRefused(place + " is a damaged zip: " + e.getMessage(), e);
    }
    if (entries.isEmpty()) {
      throw new BundleRefused(place + " is no zip, or has nothing in it");
    }
    return new Bundle(entries);
  }

  private static Bundle folder(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> found = Files.walk(folder)) {
      found.filter(Files::isRegularFile).sorted().limit(MOST_ENTRIES + 1L).forEach(files::add);
    }
    Map<String, byte[]> entries = new LinkedHashMap<>();
    long room = MOST_BYTES;
    for (Path file : files) {
      try (InputStream in = Files.newInputStream(file)) {
        byte[] bytes = bounded(in, room, folder);
        room -= bytes.length;
        add(entries, folder.relativize(file).toString().replace('\\', '/'), bytes, folder);
      }
    }
    return new Bundle(entries);
  }

  private static void add(Map<String, byte[]> entries, String name, byte[] bytes, Path place) {
    if (!NAME.matcher(name).matches()) {
      throw new BundleRefused("%s has an entry of the name '%s'".formatted(place, name));
    }
    if (entries.put(name, bytes) != null) {
      throw new BundleRefused("%s has %s twice".formatted(place, name));
    }
    if (entries.size() > MOST_ENTRIES) {
      throw new BundleRefused(place + " has more than " + MOST_ENTRIES + " entries");
    }
  }

  /** Believes no length that a file states. */
  private static byte[] bounded(InputStream in, long room, Path place) throws IOException {
    byte[] bytes = in.readNBytes((int) Math.min(room + 1, Integer.MAX_VALUE - 8));
    if (bytes.length > room) {
      throw new BundleRefused(place + " holds more than " + MOST_BYTES + " bytes");
    }
    return bytes;
  }
}
