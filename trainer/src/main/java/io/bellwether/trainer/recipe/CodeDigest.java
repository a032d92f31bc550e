package io.bellwether.trainer.recipe;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.scoring.Scorer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Names the code that trains: SHA-256 over the names and bytes of the classes of trainer, policy
 * store and ingestion. Jars and folders of the same classes have the same digest. Stateless.
 */
public final class CodeDigest {

  private static final String CLASS = ".class";

  /** Computed once: classes do not change under a running process. */
  private static final class Holder {
    private static final String CURRENT =
        of(List.of(CodeDigest.class, Scorer.class, Surface.class));
  }

  private CodeDigest() {}

  /** Of the code that runs; empty where it stands neither in a folder nor in a jar. */
  public static String current() {
    return Holder.CURRENT;
  }

  /** The same, and the module of one more class. */
  public static String with(Class<?> module) {
    return of(List.of(CodeDigest.class, Scorer.class, Surface.class, module));
  }

  private static String of(List<Class<?>> modules) {
    MessageDigest digest = ReadFile.digest();
    try {
      for (Class<?> module : modules) {
        CodeSource source = module.getProtectionDomain().getCodeSource();
        if (source == null) {
          return "";
        }
        Path place = Path.of(source.getLocation().toURI());
        SortedMap<String, byte[]> classes = Files.isDirectory(place) ? folder(place) : jar(place);
        classes.forEach(
            (name, sha) -> {
              digest.update(name.getBytes(UTF_8));
              digest.update(sha);
            });
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the running classes cannot be read", e);
    } catch (URISyntaxException | IllegalArgumentException e) {
      return "";
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static SortedMap<String, byte[]> folder(Path root) throws IOException {
    SortedMap<String, byte[]> classes = new TreeMap<>();
    try (var files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.toString().endsWith(CLASS)) {
          classes.put(
              root.relativize(file).toString().replace('\\', '/'),
              ReadFile.digest().digest(Files.readAllBytes(file)));
        }
      }
    }
    return classes;
  }

  private static SortedMap<String, byte[]> jar(Path file) throws IOException {
    SortedMap<String, byte[]> classes = new TreeMap<>();
    try (ZipFile jar = new ZipFile(file.toFile())) {
      for (ZipEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().endsWith(CLASS)) {
          try (InputStream in = jar.getInputStream(entry)) {
            classes.put(entry.getName(), ReadFile.digest().digest(in.readAllBytes()));
          }
        }
      }
    }
    return classes;
  }
}
