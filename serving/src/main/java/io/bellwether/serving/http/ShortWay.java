package io.bellwether.serving.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Refusals;
import io.bellwether.serving.request.Limits;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The short way of a {@code POST}, for requests as nearly all are: JSON of a declared length, for
 * JSON. It copies a body once where the framework copies it three times, and answers the same
 * bytes; whatever is unusual in a request goes on to the resource of its path. Runs on the event
 * loop and never blocks. Thread-safe.
 */
@Singleton
public final class ShortWay {

  /** After the gate, before the resources. */
  private static final int ORDER = -1;

  private static final String JSON = "application/json";
  private static final String JSON_IN_UTF_8 = "application/json;charset=UTF-8";
  private static final String ANYTHING = "*/*";

  /** Of a body that says that it is longer, memory is taken as it comes. */
  private static final int INITIAL_BYTES = 1 << 16;

  private final ObjectMapper mapper;

  ShortWay(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  /** Whoever answers. */
  public interface Handler {

    /** Answers, or fails with a refusal, on any thread; is called on the event loop. */
    CompletionStage<Answer> answer(HttpServerRequest request, byte[] body);
  }

  /**
   * An answer.
   *
   * @param body written as JSON
   */
  public record Answer(int status, Map<String, String> headers, Object body) {
    public Answer {
      headers = Map.copyOf(headers);
    }
  }

  /** Lets a handler answer what comes to a path and is as usual. */
  public void install(Router router, String path, Handler handler) {
    router.post(path).order(ORDER).handler(context -> take(context, path, handler));
  }

  private void take(RoutingContext context, String path, Handler handler) {
    HttpServerRequest request = context.request();
    // A path of another spelling is for the resource to judge.
    int length = path.equals(request.path()) ? usualLength(request.headers()) : -1;
    if (length < 0) {
      context.next();
      return;
    }
    Body body = new Body(length);
    request.handler(body::add);
    request.endHandler(ended -> answer(request, body.bytes(), handler));
    // Nobody is left to hear of it.
    request.exceptionHandler(brokeOff -> {});
    request.resume();
  }

  /** How long the body of a usual request is; -1 for others. */
  private static int usualLength(MultiMap headers) {
    return JSON.equals(headers.get(HttpHeaders.CONTENT_TYPE))
            && takesJson(headers.get(HttpHeaders.ACCEPT))
            && !headers.contains(HttpHeaders.EXPECT)
        ? length(headers.get(HttpHeaders.CONTENT_LENGTH))
        : -1;
  }

  private static boolean takesJson(@Nullable String accept) {
    return accept == null || accept.equals(ANYTHING) || accept.equals(JSON);
  }

  private static int length(@Nullable String declared) {
    try {
      int length = declared == null ? -1 : Integer.parseInt(declared);
      return length <= Limits.STANDARD.bodyBytes() ? length : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private void answer(HttpServerRequest request, byte[] body, Handler handler) {
    HttpServerResponse response = request.response();
    Context loop = Objects.requireNonNull(Vertx.currentContext());
    // Composed, so that what the handler throws is an answer too.
    var unused =
        CompletableFuture.completedFuture(body)
            .thenCompose(bytes -> handler.answer(request, bytes))
            .whenComplete(
                (answer, failure) -> loop.runOnContext(now -> tell(response, answer, failure)));
  }

  private void tell(
      HttpServerResponse response, @Nullable Answer answer, @Nullable Throwable failure) {
    if (response.ended() || response.closed()) {
      return;
    }
    if (answer == null) {
      ProblemException refusal = Refusals.of(Objects.requireNonNull(failure));
      Problem problem = refusal.problem();
      write(response, problem.status(), Problem.MEDIA_TYPE, refusal.headers(), problem);
    } else {
      write(response, answer.status(), JSON_IN_UTF_8, answer.headers(), answer.body());
    }
  }

  private void write(
      HttpServerResponse response,
      int status,
      String mediaType,
      Map<String, String> headers,
      Object answer) {
    MultiMap told = response.setStatusCode(status).headers();
    told.set(HttpHeaders.CONTENT_TYPE, mediaType);
    headers.forEach(told::set);
    var unused = response.end(Buffer.buffer(bytes(answer)));
  }

  private byte[] bytes(Object answer) {
    try {
      return mapper.writeValueAsBytes(answer);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer is always JSON", e);
    }
  }

  /** A body as it comes. Confined to one event loop. */
  private static final class Body {

    private byte[] bytes;
    private int length;

    Body(int declared) {
      bytes = new byte[Math.min(declared, INITIAL_BYTES)];
    }

    void add(Buffer chunk) {
      int longer = length + chunk.length();
      if (longer > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(longer, 2 * bytes.length));
      }
      chunk.getBytes(bytes, length);
      length = longer;
    }

    byte[] bytes() {
      return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }
  }
}
