package io.bellwether.trainer.imports;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The hidden folder of an import that is not complete: sorted runs, rejects, and how far the
 * reading has come. Confined to one thread; the importer's lock keeps other processes away.
 */
final class UnfinishedImport {

  private static final String FINGERPRINT = "fingerprint";
  private static final String TALLY = "tally.json";

  private final ObjectMapper json = new ObjectMapper();
  private final Path folder;
  private final ReadTally tally;

  private UnfinishedImport(Path folder, ReadTally tally) {
    this.folder = folder;
    this.tally = tally;
  }

  /** The folder of an interrupted import of the same, or a new one. */
  static UnfinishedImport at(Path folder, String fingerprint) throws IOException {
    Path earlier = folder.resolve(FINGERPRINT);
    Path tally = folder.resolve(TALLY);
    if (Files.isRegularFile(earlier)
        && Files.readString(earlier, UTF_8).equals(fingerprint)
        && Files.isRegularFile(tally)) {
      try {
        return new UnfinishedImport(
            folder, new ObjectMapper().readValue(Files.readAllBytes(tally), ReadTally.class));
      } catch (JsonProcessingException e) {
        // Of another version of this program: begin again.
      }
    }
    FolderTree.delete(folder);
    Files.createDirectories(folder);
    return begin(folder, fingerprint);
  }

  /** A new import in an empty folder. */
  static UnfinishedImport begin(Path folder, String fingerprint) throws IOException {
    Files.writeString(folder.resolve(FINGERPRINT), fingerprint, UTF_8);
    return new UnfinishedImport(folder, new ReadTally());
  }

  Path folder() {
    return folder;
  }

  ReadTally tally() {
    return tally;
  }

  Path rejects() {
    return folder.resolve("rejects.tsv");
  }

  Path archive() {
    return folder.resolve("archive");
  }

  /** The archive's folder without what an interrupted run may have left in it. */
  Path emptyArchive() throws IOException {
    FolderTree.delete(archive());
    return Files.createDirectories(archive());
  }

  /** Keeps the tally: from here an interrupted import goes on. */
  void keep() throws IOException {
    Path hidden = folder.resolve("." + TALLY);
    Files.write(hidden, json.writeValueAsBytes(tally));
    Files.move(
        hidden,
        folder.resolve(TALLY),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Makes the archive visible, in place of an earlier one, and deletes the rest. */
  void moveTo(Path target) throws IOException {
    Path replaced = folder.resolve("replaced");
    FolderTree.delete(replaced);
    if (Files.exists(target)) {
      Files.move(target, replaced);
    }
    Files.move(archive(), target, StandardCopyOption.ATOMIC_MOVE);
    delete();
  }

  void delete() throws IOException {
    FolderTree.delete(folder);
  }
}
