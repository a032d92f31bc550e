package io.bellwether.ingestion.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeclarationsTest {

  private static final String SHOP =
      """
      surface: shop
      slate: {size: 2}
      item: [{name: price, type: number}]
      signals: [{name: click, type: flag, window: 1h}]
      objective: {maximize: click}
      """;

  private @TempDir Path folder;
  private Path root = Path.of("");
  private Path surfaces = Path.of("");

  @BeforeEach
  void open() throws IOException {
    root = folder.resolve("archive");
    surfaces = Files.createDirectories(folder.resolve("surfaces"));
  }

  @Test
  void everyDeclarationIsFoundByItsDigest() throws Exception {
    Surface first = declare(SHOP);
    Surface second = declare(SHOP.replace("1h", "2h"));
    Declarations declarations = new Declarations(root);

    assertEquals(Optional.of(first), declarations.find(first.digest()));
    assertEquals(Optional.of(second), declarations.find(second.digest()));
    assertEquals(Optional.of(second), declarations.current("shop"));
    assertEquals(2, declarations.of("shop").size());
    assertEquals(List.of(), declarations.of("other"));
    assertEquals(Optional.empty(), declarations.find("../../x"));
  }

  @Test
  void anIncompatibleDeclarationIsRefusedAndTheFormerStaysInForce() throws Exception {
    Surface first = declare(SHOP);

    IOException refused =
        assertThrows(
            IOException.class, () -> declare(SHOP.replace("type: number", "type: category")));

    assertTrue(refused.toString().contains("item.price"), refused.toString());
    assertTrue(refused.toString().contains("was a number and is a category"));
    assertEquals(Optional.of(first), new Declarations(root).current("shop"));
    assertEquals(first, declare(SHOP));
  }

  @Test
  void aNameThatWasDroppedComesBackWithItsMeaningOnly() throws Exception {
    String spent = "{name: spent, type: number, window: 1h}";
    String click = "{name: click, type: flag, window: 1h}";
    declare(SHOP.replace(click, click + ", " + spent));
    declare(SHOP);

    String retyped = SHOP.replace(click, click + ", " + spent.replace("number", "flag"));
    IOException refused = assertThrows(IOException.class, () -> declare(retyped));

    assertTrue(refused.toString().contains("signals.spent: was a number and is a flag"));
    declare(SHOP.replace(click, click + ", " + spent));
  }

  @Test
  void anAlteredDeclarationIsFound() throws Exception {
    Surface shop = declare(SHOP);
    Path file = root.resolve("declarations").resolve(shop.digest() + ".yaml");
    Files.writeString(file, SHOP.replace("1h", "3h"));

    assertThrows(IOException.class, () -> new Declarations(root).find(shop.digest()));
    assertEquals(1, new ArchiveCheck(root).check(List.of()).problems().size());
  }

  private Surface declare(String yaml) throws Exception {
    Path file = surfaces.resolve("shop.yaml");
    Files.writeString(file, yaml);
    new Declarations(root).keepFolder(surfaces);
    return new SurfaceReader().read(file);
  }
}
