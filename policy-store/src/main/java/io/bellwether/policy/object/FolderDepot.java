package io.bellwether.policy.object;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder: each value is a file under its name. Half-written files are in {@code temporary}, and
 * what begins with a dot belongs to somebody else. Safe among processes that share the folder; its
 * file system must have hard links.
 */
public final class FolderDepot implements Depot {

  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");

  private static final String TEMPORARY = "temporary";

  private final Path root;
  private final DurableFile files;

  /** The depot in a folder, which the first write makes. */
  public FolderDepot(Path root) {
    this(root, root.resolve(TEMPORARY));
  }

  FolderDepot(Path root, Path temporaryFolder) {
    this.root = root;
    files = new DurableFile(temporaryFolder);
  }

  @Override
  public Optional<byte[]> read(String name) {
    try {
      return Optional.of(Files.readAllBytes(fileOf(name)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (Files.isDirectory(fileOf(name))) {
        return Optional.empty();
      }
      throw new UncheckedIOException("cannot read " + fileOf(name), e);
    }
  }

  @Override
  public Optional<Stored> find(String name) {
    try {
      return Optional.of(stored(fileOf(name)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look at " + fileOf(name), e);
    }
  }

  @Override
  public boolean create(String name, byte[] bytes) {
    try {
      return files.create(fileOf(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + fileOf(name), e);
    }
  }

  @Override
  public void put(String name, byte[] bytes) {
    try {
      files.replace(fileOf(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + fileOf(name), e);
    }
  }

  @Override
  public void delete(String name) {
    try {
      Files.deleteIfExists(fileOf(name));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + fileOf(name), e);
    }
  }

  @Override
  public List<Stored> list(String folder) {
    List<Stored> found = new ArrayList<>();
    collect(fileOf(folder), found);
    found.sort(Comparator.comparing(Stored::name));
    return found;
  }

  private void collect(Path folder, List<Stored> found) {
    for (Path entry : entriesOf(folder)) {
      if (Files.isDirectory(entry)) {
        collect(entry, found);
      } else {
        try {
          found.add(stored(entry));
        } catch (NoSuchFileException e) {
          continue; // Removed meanwhile.
        } catch (IOException e) {
          throw new UncheckedIOException("cannot look at " + entry, e);
        }
      }
    }
  }

  @Override
  public List<String> folders() {
    List<String> folders = new ArrayList<>(foldersIn(root));
    folders.remove(TEMPORARY);
    return folders;
  }

  @Override
  public List<String> folders(String folder) {
    return foldersIn(fileOf(folder));
  }

  private static List<String> foldersIn(Path folder) {
    return entriesOf(folder).stream()
        .filter(Files::isDirectory) // A file browser leaves files of its own.
        .map(entry -> entry.getFileName().toString())
        .sorted()
        .toList();
  }

  private static List<Path> entriesOf(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.filter(entry -> isName(entry.getFileName().toString())).toList();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder, e);
    }
  }

  private Stored stored(Path file) throws IOException {
    BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
    if (found.isDirectory()) {
      throw new NoSuchFileException(file.toString());
    }
    String name = root.relativize(file).toString().replace('\\', '/');
    return new Stored(name, found.size(), found.lastModifiedTime().toInstant());
  }

  private Path fileOf(String name) {
    return root.resolve(checkName(name));
  }

  /** Refuses a name that could lead out of the depot. */
  static String checkName(String name) {
    if (!isName(name)) {
      throw new IllegalArgumentException("'" + name + "' is not a name in a depot");
    }
    return name;
  }

  private static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  @Override
  public String toString() {
    return root.toString();
  }
}
