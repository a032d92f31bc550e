package io.bellwether.serving.item;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.log.Event;
import io.bellwether.serving.log.EventIds;
import io.bellwether.serving.log.EventLog;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.surface.DeclaredSurface;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Registers a batch of items: all of them are checked against the declaration before the first one
 * is written, and the answer waits until this replica can decide among them. Thread-safe.
 */
@Singleton
final class ItemRegistration {

  private static final String TYPE = "io.bellwether.item.registered.v1";
  private static final Set<String> FIELDS = Set.of("id", "features");

  private final EventLog log;
  private final EventIds ids;
  private final ItemFeed feed;
  private final Catalogue catalogue;
  private final Clock clock;
  private final int maxItems;

  ItemRegistration(
      EventLog log,
      EventIds ids,
      ItemFeed feed,
      Catalogue catalogue,
      Clock clock,
      ServingConfig config) {
    this.log = log;
    this.ids = ids;
    this.feed = feed;
    this.catalogue = catalogue;
    this.clock = clock;
    this.maxItems = config.maxItems();
  }

  /**
   * Registers the items of a body; gives how many they were. They are registered even where this
   * replica is slow to see them.
   */
  CompletableFuture<Integer> register(DeclaredSurface surface, byte[] body) {
    Map<String, JsonNode> items = read(surface, body);
    Instant now = clock.instant();
    List<CompletableFuture<RecordMetadata>> sent = new ArrayList<>();
    for (Map.Entry<String, JsonNode> item : items.entrySet()) {
      sent.add(log.send(event(surface, item.getKey(), item.getValue(), now)));
      if (sent.get(sent.size() - 1).isCompletedExceptionally()) {
        break; // Kafka is away; the others would each wait for nothing.
      }
    }
    return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
        .thenCompose(all -> feed.passed(nextOffsets(sent)).exceptionally(late -> null))
        .thenApply(seen -> items.size());
  }

  private Map<String, JsonNode> read(DeclaredSurface surface, byte[] body) {
    JsonNode root = JsonBody.parse(body, Limits.STANDARD.batchBodyBytes());
    String pointer = "#";
    JsonNode array = root;
    if (root.isObject()) {
      JsonFields request = JsonFields.ofRequest(root).only(Set.of("items"));
      request.check();
      array = request.get("items");
      pointer = "#/items";
    }
    List<Violation> violations = new ArrayList<>();
    checkSize(array, pointer, violations);
    ProblemException.throwIfAny(violations);
    Map<String, JsonNode> items = new LinkedHashMap<>();
    float[] row = new float[surface.layout().itemWidth()];
    for (int i = 0; i < array.size(); i++) {
      JsonFields item = JsonFields.of(array.get(i), pointer + "/" + i, violations).only(FIELDS);
      String id = item.requiredForeignId("id");
      surface.item().encode(item.get("features"), item.pointer("features"), row, 0, violations);
      if (items.put(id, array.get(i)) != null && !id.isEmpty()) {
        item.refuse("id", "is the id of an earlier item as well");
      }
    }
    checkRoom(surface, items.keySet(), pointer, violations);
    ProblemException.throwIfAny(violations);
    return items;
  }

  private static void checkSize(JsonNode array, String pointer, List<Violation> violations) {
    if (!array.isArray() || array.isEmpty() || array.size() > Limits.STANDARD.itemsPerBatch()) {
      violations.add(
          new Violation(
              Slug.INVALID_REQUEST.text(),
              pointer,
              "is %s, must be an array of 1 to %d items"
                  .formatted(JsonFields.found(array), Limits.STANDARD.itemsPerBatch())));
    }
  }

  private void checkRoom(
      DeclaredSurface surface, Set<String> added, String pointer, List<Violation> violations) {
    ItemTable table = catalogue.items(surface);
    long fresh = added.stream().filter(id -> table.row(id) < 0).count();
    if (table.size() + fresh > maxItems) {
      violations.add(
          new Violation(
              Slug.VALUE_OUT_OF_RANGE.text(),
              pointer,
              "adds %d items to %d, at most %d are kept (bellwether.max-items)"
                  .formatted(fresh, table.size(), maxItems)));
    }
  }

  private Event event(DeclaredSurface surface, String id, JsonNode item, Instant now) {
    ItemTable known = catalogue.items(surface);
    int row = known.row(id);
    ObjectNode value =
        JsonNodeFactory.instance
            .objectNode()
            .put("itemId", id)
            .put(
                Catalogue.REGISTERED_AT,
                row < 0 ? now.toEpochMilli() : known.registeredAtMillis(row));
    if (item.hasNonNull("features")) {
      value.set("features", item.get("features"));
    }
    return new Event(
        Topics.ITEMS,
        Catalogue.key(surface, id),
        ids.next(),
        TYPE,
        now,
        Event.JSON,
        JsonBody.write(value).getBytes(StandardCharsets.UTF_8));
  }

  private static Map<Integer, Long> nextOffsets(List<CompletableFuture<RecordMetadata>> sent) {
    Map<Integer, Long> next = new HashMap<>();
    for (CompletableFuture<RecordMetadata> each : sent) {
      RecordMetadata metadata = each.join();
      next.merge(metadata.partition(), metadata.offset() + 1, Math::max);
    }
    return next;
  }
}
