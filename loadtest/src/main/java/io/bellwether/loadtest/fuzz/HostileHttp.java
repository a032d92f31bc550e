package io.bellwether.loadtest.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** REST requests as bytes on the wire, good and bad. Confined to a thread. */
final class HostileHttp {

  /** In keys that are not the service's; in a log it shows that secrets are logged. */
  static final String SECRET_CANARY = "canary-secret-9b42";

  private final Chance chance;
  private final String surface;
  private final String apiKey;

  /**
   * A request.
   *
   * @param bytes as they are sent
   * @param whole whether it is HTTP that ends where it says, so that an answer is due; what is not
   *     may be answered, or its connection closed or kept waiting
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Request(byte[] bytes, boolean whole) {}

  /**
   * @param surface that exists
   * @param apiKey that is accepted; in no request where it is blank
   */
  HostileHttp(Chance chance, String surface, String apiKey) {
    this.chance = chance;
    this.surface = surface;
    this.apiKey = apiKey;
  }

  Request next() {
    HostileJson json = new HostileJson(chance, surface);
    return switch (chance.below(12)) {
      case 0, 1, 2, 3 -> request("POST", "/v1/decisions", json.decision());
      case 4 -> request("POST", "/v1/decisions:batch", json.decisions());
      case 5, 6 -> request("POST", chance.of("/v1/outcomes", "/v1/outcomes:batch"), json.outcome());
      case 7 -> request("POST", chance.of("/v1/events", "/v1/outcomes"), json.outcome());
      case 8 -> request(chance.of("POST", "PUT", "PATCH", "DELETE"), path(), json.anything());
      case 9 -> request(chance.of("GET", "HEAD", "OPTIONS", "TRACE"), path(), new byte[0]);
      case 10 ->
          request(
              "POST",
              chance.of("/ofrep/v1/evaluate/flags", "/ofrep/v1/evaluate/flags/" + strange()),
              json.anything());
      default -> broken(json.decision());
    };
  }

  private String path() {
    return chance.of(
        "/v1/decisions/" + strange(),
        "/v1/decisions/" + strange() + ":activate",
        "/v1/surfaces/" + strange(),
        "/v1/surfaces/" + surface + "/items",
        "/v1/policies/" + strange() + "/versions/" + strange() + ":promote",
        "/v1/experiments/" + strange(),
        "/v1/experiments/" + strange() + "/results",
        "/v1/experiments:validate",
        "/v1/experiments?pageSize=" + strange() + "&pageToken=" + strange(),
        "/v1/limits",
        "/" + strange(),
        "//v1//decisions",
        "/v1/../v1/decisions",
        "/v1/decisions;" + strange(),
        "/q/" + strange(),
        "/openapi");
  }

  private String strange() {
    return chance.of(
        "x",
        "%",
        "%00",
        "%2e%2e%2f",
        "%ff%fe",
        "%F0%9F%A6%8A",
        "..",
        ":",
        "a:b:c",
        "%3Aactivate",
        "a%20b",
        "[x]",
        "{x}",
        "-1",
        "x".repeat(300),
        "x".repeat(3000),
        HostileJson.CANARY);
  }

  private Request request(String method, String path, byte[] body) {
    List<String> headers = new ArrayList<>();
    headers.add("Host: localhost");
    if (!apiKey.isBlank() && !chance.oneIn(10)) {
      headers.add("X-API-Key: " + apiKey);
    } else {
      headers.add(
          chance.of("X-API-Key: ", "Authorization: Bearer ", "Authorization: Basic ")
              + SECRET_CANARY);
    }
    headers.add(
        "Content-Type: "
            + (chance.oneIn(6)
                ? chance.of(
                    "",
                    "text/plain",
                    "application/cloudevents+json",
                    "application/cloudevents-batch+json",
                    "application/json; charset=utf-16",
                    "application/json;;;",
                    "/",
                    "a/b/c",
                    "*/*",
                    "multipart/form-data; boundary=x",
                    "application/grpc")
                : "application/json"));
    if (chance.oneIn(3)) {
      headers.add(oddHeader());
    }
    if (body.length > 0 || chance.oneIn(2)) {
      headers.add("Content-Length: " + body.length);
    } else if (method.equals("POST")) {
      headers.add("Content-Length: 0");
    }
    return new Request(
        bytes(method + " " + path + " HTTP/1.1\r\n" + String.join("\r\n", headers), body), true);
  }

  private String oddHeader() {
    return chance.of(
        "Idempotency-Key: " + chance.of("x", "\"x\"", "\"", "a b", "ä", "x".repeat(300)),
        "Accept: " + chance.of("text/html", "*/*;q=x", ",", "application/json;q=0", "x"),
        "Bellwether-Deadline-Ms: " + chance.of("0", "-1", "1", "x", "9999999999999999999", "1.5"),
        "x-envoy-expected-rq-timeout-ms: " + chance.of("", "1", "nan", "-9"),
        "grpc-timeout: " + chance.of("1m", "99999999H", "m", "1x", "-1S"),
        "traceparent: " + chance.of("00-0-0-0", "x".repeat(200), "00-" + "0".repeat(32) + "-x-01"),
        "If-Match: " + chance.of("*", "\"x\"", "W/\"1\"", "99999999999999999999"),
        "If-None-Match: " + chance.of("*", "\"x\"", ","),
        "Origin: " + chance.of("null", "https://evil.example", "x"),
        "Bellwether-Actor: " + chance.of("ä", "x".repeat(200), ""),
        "ce-id: x\r\nce-source: /x\r\nce-specversion: 1.0\r\nce-type: x",
        "ce-specversion: " + chance.of("0.3", "9", ""),
        "Cookie: " + SECRET_CANARY,
        "Content-Encoding: " + chance.of("gzip", "br", "x"),
        "X-Forwarded-For: " + chance.of("1.1.1.1", "'"),
        "Range: bytes=0-");
  }

  /** What is no HTTP, or does not end where it says. */
  private Request broken(byte[] body) {
    String first = "POST /v1/decisions HTTP/1.1\r\nHost: localhost\r\n";
    String key = "X-API-Key: " + (apiKey.isBlank() ? SECRET_CANARY : apiKey) + "\r\n";
    String json = "Content-Type: application/json";
    return switch (chance.below(14)) {
      case 0 -> broken(first + key + json + "\r\nContent-Length: " + (body.length + 100), body);
      case 1 -> broken(first + key + json + "\r\nContent-Length: " + body.length / 2, body);
      case 2 ->
          broken(
              first + key + json + "\r\nContent-Length: " + chance.of("-1", "x", "99999999999", ""),
              body);
      case 3 -> broken(first + key + json + "\r\nContent-Length: 1\r\nContent-Length: 2", body);
      case 4 ->
          broken(
              first + key + json + "\r\nTransfer-Encoding: chunked",
              chance
                  .of("zz\r\n", "5\r\nabc", "ffffffffff\r\n", "0\r\n\r\n", "-1\r\n\r\n")
                  .getBytes(ISO_8859_1));
      case 5 ->
          broken(first + key + json + "\r\nTransfer-Encoding: chunked\r\nContent-Length: 3", body);
      case 6 -> broken("POST /v1/decisions HTTP/" + chance.of("0.9", "2.0", "9.9", "x"), body);
      case 7 -> broken("GET /" + "x".repeat(chance.of(5000, 20_000)) + " HTTP/1.1", new byte[0]);
      case 8 -> broken(first + "X: " + "x".repeat(chance.of(9000, 70_000)), body);
      case 9 -> broken(first + "X: 1\r\n".repeat(2000) + json, new byte[0]);
      case 10 -> broken(first + key + "Bad Header\u0001: x\r\n: y\r\n folded", body);
      case 11 -> new Request(chance.bytes(1 + chance.below(400)), false);
      case 12 -> new Request("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1), false);
      default ->
          broken(
              first
                  + key
                  + json
                  + "\r\nExpect: 100-continue\r\nConnection: Upgrade\r\nUpgrade: h2c",
              body);
    };
  }

  private static Request broken(String head, byte[] body) {
    return new Request(bytes(head, body), false);
  }

  private static byte[] bytes(String head, byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes((head + "\r\n\r\n").getBytes(ISO_8859_1));
    bytes.writeBytes(body);
    return bytes.toByteArray();
  }
}
