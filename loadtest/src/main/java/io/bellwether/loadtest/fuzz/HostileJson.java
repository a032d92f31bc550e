package io.bellwether.loadtest.fuzz;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bodies that are nearly right: a request of the kind that the path takes, of which values, names,
 * structure or bytes were spoiled; now and then it is left as it is, so that what is right is met
 * too. All texts hold {@link #CANARY}, which must be found in no log. Confined to a thread.
 */
final class HostileJson {

  /** In every body; in a log it shows that bodies are logged. */
  static final String CANARY = "canary-body-5f1d";

  private static final int DEPTH = 3000;
  private static final int MANY = 1500;

  private final Chance chance;
  private final String surface;

  HostileJson(Chance chance, String surface) {
    this.chance = chance;
    this.surface = surface;
  }

  /** What {@code POST /v1/decisions} takes, spoiled. */
  byte[] decision() {
    return spoiled(decisionText());
  }

  /** What {@code POST /v1/decisions:batch} takes, spoiled. */
  byte[] decisions() {
    List<String> elements = new ArrayList<>();
    int count = chance.oneIn(50) ? 120 : 1 + chance.below(3);
    for (int i = 0; i < count; i++) {
      elements.add(decisionText());
    }
    String array = "[" + String.join(",", elements) + "]";
    return spoiled(chance.oneIn(2) ? array : "{\"decisions\":" + array + "}");
  }

  /** What {@code POST /v1/outcomes} takes, spoiled. */
  byte[] outcome() {
    String one =
        "{"
            + String.join(
                ",",
                field("outcomeId", text()),
                field("decisionId", quoted("d-" + chance.below(1000))),
                field("itemId", text()),
                field("signal", chance.of("\"like\"", "\"click\"", text())),
                field("value", number()),
                field("occurredAt", chance.of("\"2026-11-30T04:00:00Z\"", text())),
                field("properties", "{" + field(CANARY, value(2)) + "}"))
            + "}";
    return spoiled(chance.oneIn(2) ? one : "[" + one + "," + one + "]");
  }

  /** Any JSON at all, spoiled. */
  byte[] anything() {
    return spoiled("{" + field(chance.of("context", "items", "alias", CANARY), value(4)) + "}");
  }

  private String decisionText() {
    List<String> fields = new ArrayList<>();
    fields.add(field("surface", quoted(surface)));
    if (chance.oneIn(2)) {
      fields.add(field("decisionId", chance.of(quoted("d-" + chance.below(1000)), text())));
    }
    if (chance.oneIn(2)) {
      fields.add(field("subject", "{" + field("id", text()) + "}"));
    }
    if (chance.oneIn(2)) {
      fields.add(field("context", "{" + field(CANARY, value(2)) + "}"));
    }
    if (!chance.oneIn(4)) {
      fields.add(field("candidates", candidates()));
    }
    if (chance.oneIn(4)) {
      fields.add(
          field(
              chance.of(
                  "slots", "filter", "rules", "activation", "excludedCandidateIds", "baseline"),
              value(3)));
    }
    if (chance.oneIn(3)) {
      fields.add(
          field(
              "options",
              "{"
                  + field(chance.of("topK", "dryRun", "deadlineMs", "explain", "seed"), value(1))
                  + "}"));
    } else {
      fields.add("\"options\":{\"dryRun\":true}");
    }
    return "{" + String.join(",", fields) + "}";
  }

  private String candidates() {
    int count = chance.oneIn(100) ? MANY : chance.below(5);
    List<String> candidates = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String features = chance.oneIn(3) ? "" : "," + field("features", features());
      candidates.add(
          "{" + field("id", chance.oneIn(8) ? text() : quoted("i" + i)) + features + "}");
    }
    return "[" + String.join(",", candidates) + "]";
  }

  private String features() {
    return chance.oneIn(2) ? "{}" : "{" + field(CANARY, value(2)) + "}";
  }

  private String field(String name, String value) {
    String spoiledName =
        chance.oneIn(60) ? name + chance.of(" ", "\\u0000", "x".repeat(200)) : name;
    String field = quoted(spoiledName) + ":" + (chance.oneIn(25) ? value(3) : value);
    return chance.oneIn(200) ? field + "," + field : field;
  }

  private String value(int depth) {
    return switch (chance.below(depth > 0 ? 6 : 4)) {
      case 0 -> number();
      case 1 -> text();
      case 2 -> chance.of("true", "false", "null");
      case 3 -> chance.of("{}", "[]", "\"\"", "NaN", "Infinity", "undefined", "'x'", "0x1f");
      case 4 -> "[" + value(depth - 1) + "," + value(depth - 1) + "]";
      default -> "{" + quoted(CANARY) + ":" + value(depth - 1) + "}";
    };
  }

  private String number() {
    return chance.of(
        "0",
        "1",
        "-1",
        "-0.0",
        "0.1",
        "1e400",
        "-1e400",
        "1e-400",
        "9007199254740993",
        "2147483648",
        "-9223372036854775809",
        "1" + "0".repeat(chance.of(30, 1100)),
        "0." + "3".repeat(900),
        "1E+2147483647",
        "01",
        "+1",
        ".5",
        "5.");
  }

  private String text() {
    return quoted(
        CANARY
            + chance.of(
                "",
                " ",
                "\\ud800",
                "\\udc00\\ud800",
                "\\u0000",
                "\\u202e",
                "\\n\\r\\nINFO forged",
                "${jndi:ldap://x}",
                "%s%n%d",
                "../../etc/passwd",
                "' or 1=1 --",
                "<script>",
                "🦊".repeat(70),
                "ä".repeat(128),
                "x".repeat(1024),
                "x".repeat(1025),
                "x".repeat(30_000)));
  }

  private static String quoted(String text) {
    return "\"" + text + "\"";
  }

  private byte[] spoiled(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return switch (chance.below(20)) {
      case 0 -> Arrays.copyOf(bytes, chance.below(bytes.length + 1));
      case 1, 2 -> flipped(bytes);
      case 3 -> (text + chance.of("}", "]", " 1", ",", "\u0000", text)).getBytes(UTF_8);
      case 4 -> ("\ufeff" + text).getBytes(UTF_8);
      case 5 -> text.getBytes(UTF_16LE);
      case 6 -> chance.oneIn(20) ? deep() : flipped(flipped(bytes));
      case 7 -> chance.bytes(chance.below(200));
      default -> bytes;
    };
  }

  private byte[] deep() {
    return chance.of("[", "{\"a\":", "[{\"a\":").repeat(1 + chance.below(DEPTH)).getBytes(UTF_8);
  }

  private byte[] flipped(byte[] bytes) {
    if (bytes.length > 0) {
      bytes[chance.below(bytes.length)] = (byte) chance.below(256);
    }
    return bytes;
  }
}
