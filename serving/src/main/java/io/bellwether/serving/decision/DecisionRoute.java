package io.bellwether.serving.decision;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.serving.deadline.DeadlineHeaders;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Refusals;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.request.TraceContext;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The short way of {@code POST /v1/decisions}, for requests as nearly all are: JSON of a declared
 * length, for JSON. It copies a body once where the framework copies it three times, and answers
 * the same bytes; whatever is unusual in a request goes on to {@link DecisionResource}. Runs on the
 * event loop and never blocks.
 */
@Singleton
final class DecisionRoute {

  private static final String PATH = "/v1/decisions";

  /** After the gate, before the resources. */
  private static final int ORDER = -1;

  private static final String JSON = "application/json";
  private static final String JSON_IN_UTF_8 = "application/json;charset=UTF-8";
  private static final String ANYTHING = "*/*";

  /** Of a body that says that it is longer, memory is taken as it comes. */
  private static final int INITIAL_BYTES = 1 << 16;

  private final Decisions decisions;
  private final ObjectMapper mapper;

  DecisionRoute(Decisions decisions, ObjectMapper mapper) {
    this.decisions = decisions;
    this.mapper = mapper;
  }

  void install(@Observes Router router) {
    router.post(PATH).order(ORDER).handler(this::take);
  }

  private void take(RoutingContext context) {
    HttpServerRequest request = context.request();
    int length = usualLength(request);
    if (length < 0) {
      context.next();
      return;
    }
    Body body = new Body(length);
    request.handler(body::add);
    request.endHandler(ended -> answer(request, body.bytes()));
    // Nobody is left to hear of it.
    request.exceptionHandler(brokeOff -> {});
    request.resume();
  }

  /** How long the body of a usual request is; -1 for others. */
  private static int usualLength(HttpServerRequest request) {
    MultiMap headers = request.headers();
    return PATH.equals(request.path())
            && JSON.equals(headers.get(HttpHeaders.CONTENT_TYPE))
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

  private void answer(HttpServerRequest request, byte[] body) {
    HttpServerResponse response = request.response();
    Context loop = Objects.requireNonNull(Vertx.currentContext());
    // Composed, so that what the headers are refused for is an answer too.
    var unused =
        CompletableFuture.completedFuture(body)
            .thenCompose(bytes -> decisions.decide(ask(request, bytes)))
            .whenComplete(
                (reply, failure) -> loop.runOnContext(now -> tell(response, reply, failure)));
  }

  private static Ask ask(HttpServerRequest request, byte[] body) {
    return new Ask(
        request.getHeader("Idempotency-Key"),
        () -> body,
        System.nanoTime(),
        DeadlineHeaders.budgetMillis(request::getHeader),
        TraceContext.traceId(request.getHeader(TraceContext.HEADER)));
  }

  private void tell(
      HttpServerResponse response, @Nullable DecisionReply reply, @Nullable Throwable failure) {
    if (response.ended() || response.closed()) {
      return;
    }
    if (reply == null) {
      ProblemException refusal = Refusals.of(Objects.requireNonNull(failure));
      Problem problem = refusal.problem();
      write(response, problem.status(), Problem.MEDIA_TYPE, refusal.headers(), problem);
    } else {
      write(response, reply.status(), JSON_IN_UTF_8, reply.headers(), reply.answer());
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
