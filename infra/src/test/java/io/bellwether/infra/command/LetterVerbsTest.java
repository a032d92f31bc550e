package io.bellwether.infra.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the verbs about dead letters and erasures ask of the API, and how they print its answers.
 */
@SuppressWarnings("NullAway.Init") // listen() comes before each test
class LetterVerbsTest {

  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, String> answers = new HashMap<>();
  private @TempDir Path data;
  private HttpServer server;
  private CommandLineFixture command;

  @BeforeEach
  void listen() throws IOException {
    command = new CommandLineFixture(data);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  @Test
  void lettersAreReplayedByWhatTheyHaveInCommon() {
    answers.put(
        "GET /v1/dead-letters?pageSize=200&reason=not-found",
        "{'items':[{'id':'0-1','status':'OPEN'},{'id':'0-2','status':'REPLAYED'}],'nextPageToken':'0-3'}");
    answers.put(
        "GET /v1/dead-letters?pageSize=200&reason=not-found&pageToken=0-3",
        "{'items':[{'id':'0-9','status':'FIXED'}]}");
    answers.put(
        "POST /v1/dead-letters:replay",
        "{'items':[{'id':'0-1','status':'REPLAYED'},{'id':'0-9','status':'REPLAYED'}]}");
    assertEquals(0, run("dead-letters", "replay", "--reason", "not-found"), command.errors());
    assertEquals("{'ids':['0-1','0-9']}", asked.get(asked.size() - 1));
    assertTrue(command.output().contains("2 replayed."), command.output());
    assertEquals(2, run("dead-letters", "replay"));
    assertEquals(2, run("dead-letters", "replay", "0-1", "--reason", "not-found"));
  }

  @Test
  void aFixSendsTheFieldsThatChangeAndWhy() {
    answers.put("PATCH /v1/dead-letters/0-1", "{'id':'0-1','status':'FIXED'}");
    assertEquals(
        0,
        run("dead-letters", "fix", "0-1", "--event", "{\"value\":3}", "--why", "0/0"),
        command.errors());
    assertEquals("{'why':'0/0','event':{'value':3}}", asked.get(asked.size() - 1));
    assertEquals(2, run("dead-letters", "fix", "0-1", "--event", "{", "--why", "0/0"));
    assertEquals(2, run("dead-letters", "fix", "0-1", "--why", "0/0"));
  }

  @Test
  void anErasureIsMeantAndEndsInAReceipt() {
    assertEquals(2, run("erase", "anna/1"));
    assertTrue(asked.isEmpty());
    answers.put("POST /v1/subjects/anna%2F1:erase", "{'job':'J','status':'PENDING'}");
    answers.put(
        "GET /v1/erasures/J",
        "{'job':'J','status':'DONE','digest':'abc','receipt':{'sequence':7,'until':'2026-11-30T10:00:00Z',"
            + "'erased':[{'where':'redis','what':'histories','count':2}],'expires':[{'where':'kafka"
            + " t','by':'2026-12-14T10:00:00Z'},{'where':'kafka u'}],'remains':['numbers']}}");
    assertEquals(0, run("erase", "anna/1", "--yes", "--why", "ticket 7"), command.errors());
    assertTrue(asked.contains("{'reason':'ticket 7'}"), asked.toString());
    for (String part :
        List.of("receipt 7", "abc", "2 histories", "gone by 2026-12-14", "set retention.ms")) {
      assertTrue(command.output().contains(part), command.output());
    }
  }

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--url", "http://127.0.0.1:" + server.getAddress().getPort()));
    return command.run(all.toArray(String[]::new));
  }

  private void answer(HttpExchange exchange) throws IOException {
    String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    asked.add(request);
    asked.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8).replace('"', '\''));
    String answer = answers.get(request);
    byte[] body = (answer == null ? "{}" : answer.replace('\'', '"')).getBytes(UTF_8);
    exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
