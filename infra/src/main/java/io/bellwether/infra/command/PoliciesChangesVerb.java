package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.policy.object.ChangeFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells what was added to a policy store since somebody last asked. */
@Command(
    name = "changes",
    description = {
      "Show what was added to the policy store since it was last asked with the same file:"
          + " versions, evidence, releases.",
      "The file keeps how far its reader came; without one, everything is shown."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies changes",
      "  bellwether policies changes --since seen.txt --json new.json"
    })
final class PoliciesChangesVerb implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--since",
      paramLabel = "FILE",
      description = "How far this reader came; written anew once all is shown.")
  private @Nullable Path since;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "At most so many; the next call goes on (default: ${DEFAULT-VALUE}).")
  private int limit;

  PoliciesChangesVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    ChangeFeed.Page page;
    try {
      page = new ChangeFeed(store.depot(data.folder())).after(place(), limit);
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          "Cannot go on from there: " + e.getMessage() + ".",
          "Give a --limit of at least 1, and the file that an earlier call wrote for this store;"
              + " without --since all is shown.");
    }
    ObjectNode tree = JSON.createObjectNode();
    ArrayNode changes = tree.putArray("changes");
    for (ChangeFeed.Change change : page.changes()) {
      terminal.print(change.journal() + " " + change.sequence());
      changes
          .addObject()
          .put("journal", change.journal())
          .put("sequence", change.sequence())
          .set("record", JSON.readTree(change.record()));
    }
    if (page.changes().isEmpty()) {
      terminal.print("Nothing was added.");
    } else if (page.more()) {
      terminal.print("There is more.");
    }
    json.write(tree.put("next", page.next()).put("more", page.more()));
    if (since != null) {
      Files.writeString(since, page.next());
    }
    return ExitCode.DONE;
  }

  private String place() throws IOException {
    try {
      return since == null ? ChangeFeed.START : Files.readString(since).strip();
    } catch (NoSuchFileException e) {
      return ChangeFeed.START;
    }
  }
}
