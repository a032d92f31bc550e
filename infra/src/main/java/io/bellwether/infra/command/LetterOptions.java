package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which dead letters a verb means, and how it asks for them. */
final class LetterOptions {
  static final String PATH = "/v1/dead-letters";

  private static final int PAGE = 200;

  @Option(names = "--reason", paramLabel = "CODE", description = "Only those refused for this.")
  private @Nullable String reason;

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      description = "Only those that name this surface; outcomes name none.")
  private @Nullable String surface;

  @Option(names = "--topic", paramLabel = "NAME", description = "Only those read from this topic.")
  private @Nullable String topic;

  @Option(
      names = "--after",
      paramLabel = "TIME",
      description = "Only those refused since then, as 2026-11-30T12:00:00Z.")
  private @Nullable String after;

  @Option(
      names = "--most",
      paramLabel = "N",
      defaultValue = "200",
      description = "At most so many (default: ${DEFAULT-VALUE}).")
  private int most;

  boolean any() {
    return reason != null || surface != null || topic != null || after != null;
  }

  /** Those that are meant, page by page. */
  List<JsonNode> ask(ServiceClient client) throws InterruptedException {
    List<JsonNode> found = new ArrayList<>();
    String token = "";
    do {
      JsonNode page = client.get(query(token));
      page.path("items").forEach(found::add);
      token = page.path("nextPageToken").asText("");
    } while (!token.isEmpty() && found.size() < most);
    return found.size() <= most ? found : found.subList(0, most);
  }

  private String query(String token) {
    StringBuilder query = new StringBuilder(PATH).append("?pageSize=").append(Math.min(PAGE, most));
    add(query, "reason", reason);
    add(query, "surface", surface);
    add(query, "topic", topic);
    add(query, "after", after);
    add(query, "pageToken", token.isEmpty() ? null : token);
    return query.toString();
  }

  private static void add(StringBuilder query, String name, @Nullable String value) {
    if (value != null) {
      query.append('&').append(name).append('=').append(ServiceClient.segment(value));
    }
  }

  /** A letter in a line. */
  static String line(JsonNode letter) {
    return "%-12s  %-8s  %-20s  %s  %s: %s"
        .formatted(
            letter.path("id").asText(),
            letter.path("status").asText(),
            letter.path("reason").asText(),
            letter.path("refusedAt").asText(),
            letter.path("topic").asText(),
            letter.path("detail").asText());
  }
}
