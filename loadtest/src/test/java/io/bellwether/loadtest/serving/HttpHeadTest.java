package io.bellwether.loadtest.serving;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class HttpHeadTest {
  private static final byte[] ANSWER =
      ("HTTP/1.1 201 Created\r\n"
              + "Content-LENGTH:  12\r\n"
              + "Bellwether-Degraded: LATE\r\n\r\n"
              + "{\"a\": 1}    ")
          .getBytes(ISO_8859_1);

  @Test
  void readsStatusLengthAndFields() throws IOException {
    int end = HttpHead.end(ANSWER, ANSWER.length);
    assertEquals(ANSWER.length - 12, end);
    assertEquals(201, HttpHead.status(ANSWER));
    assertEquals(12, HttpHead.bodyBytes(ANSWER, end, 201));
    assertTrue(HttpHead.has(ANSWER, end, "bellwether-degraded"));
    assertFalse(HttpHead.has(ANSWER, end, "bellwether"));
    assertFalse(HttpHead.has(ANSWER, end, "retry-after"));
  }

  @Test
  void aHeadThatIsNotWholeHasNoEnd() {
    int whole = HttpHead.end(ANSWER, ANSWER.length);
    for (int length = 0; length < whole; length++) {
      assertEquals(-1, HttpHead.end(ANSWER, length));
    }
  }

  @Test
  void anAnswerOfUnknownLengthIsRefusedUnlessItHasNoBody() throws IOException {
    byte[] answer = "HTTP/1.1 204 No Content\r\n\r\n".getBytes(ISO_8859_1);
    assertEquals(0, HttpHead.bodyBytes(answer, answer.length, 204));
    assertThrows(IOException.class, () -> HttpHead.bodyBytes(answer, answer.length, 200));
  }
}
