package io.bellwether.serving.security;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.serving.problem.FlagFailure;
import io.bellwether.serving.problem.FrameworkProblems;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.Limits;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;

/**
 * Stands in front of all routes: turns away callers without a key and bodies that say that they are
 * too large, before a byte of them is read; answers browsers that ask what a page may send; and
 * puts problems where the framework would put its own pages. Runs on the event loop and never
 * blocks.
 */
@Singleton
final class Gate {

  /** Before everything of the framework's, whose own body limit answers without a body. */
  private static final int FIRST = 10_000;

  /** What orchestrators and readers of the contract may see without a key. */
  private static final String OPERATIONS = "/q/";

  private static final String CONTRACT = "/openapi";

  /** The one label of what is turned away: the paths of strangers would fill the metrics. */
  private static final String TURNED_AWAY = "/:turned-away";

  private static final String PREFLIGHT = "/:preflight";

  private static final int[] FRAMEWORK_STATUSES = {400, 404, 405, 406, 413, 415, 500};

  private static final int NO_CONTENT = 204;
  private static final int BAD_REQUEST = 400;

  /** Set on a request whose body is of undeclared length. */
  private static final String UNDECLARED = "bellwether-undeclared";

  private final ApiKeys keys;
  private final Origins origins;
  private final ObjectMapper mapper;

  /** Reads bodies that do not say how long they are, so that the bound on them has an answer. */
  private final BodyHandler undeclared =
      BodyHandler.create(false).setBodyLimit(Limits.STANDARD.batchBodyBytes());

  Gate(ApiKeys keys, Origins origins, ObjectMapper mapper) {
    this.keys = keys;
    this.origins = origins;
    this.mapper = mapper;
  }

  void install(@Observes Filters filters) {
    filters.register(this::check, FIRST);
  }

  void install(@Observes Router router) {
    router.route().order(-FIRST).failureHandler(this::failed);
    for (int status : FRAMEWORK_STATUSES) {
      router.errorHandler(status, context -> answer(context, FrameworkProblems.of(status)));
    }
  }

  private void check(RoutingContext context) {
    String path = context.normalizedPath();
    if (path.equals("/q/openapi")) {
      context.reroute(CONTRACT);
      return;
    }
    HttpServerRequest request = context.request();
    if (origins.admit(path, request) && Origins.isPreflight(request)) {
      request.routed(PREFLIGHT);
      context.response().setStatusCode(NO_CONTENT).end();
      return;
    }
    if (origins.isStranger(request)) {
      refuse(
          context,
          Problem.of(
              Slug.UNAUTHENTICATED,
              "Without keys only pages listed in bellwether.cors-origins may call; '%s' is none."
                  .formatted(request.getHeader(HttpHeaders.ORIGIN))));
      return;
    }
    if (!isOpen(path) && key(request).filter(keys::accept).isEmpty()) {
      context.response().putHeader("WWW-Authenticate", "Bearer");
      refuse(
          context,
          Problem.of(
              Slug.UNAUTHENTICATED,
              "Send one of the service's keys as X-API-Key or as Authorization: Bearer."));
      return;
    }
    if (length(request) > Limits.STANDARD.batchBodyBytes()) {
      refuse(
          context,
          Problem.of(
              Slug.PAYLOAD_TOO_LARGE,
              "The body has %d bytes, at most %d are accepted."
                  .formatted(length(request), Limits.STANDARD.batchBodyBytes())));
      return;
    }
    if (request.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
      context.next();
    } else {
      context.put(UNDECLARED, true);
      undeclared.handle(context);
    }
  }

  /** Answers what a caller did wrong; the service's own faults go on, to be logged. */
  private void failed(RoutingContext context) {
    int status = context.statusCode();
    if (status >= 400 && status < 500) {
      answer(context, FrameworkProblems.of(status));
    } else if (context.get(UNDECLARED) != null) {
      // It broke off, or its chunks are none: any stranger could fill the log with that. Faults of
      // ours do not come here, resources answer them.
      answer(context, FrameworkProblems.of(BAD_REQUEST));
    } else {
      context.next();
    }
  }

  /** Whatever is not known to be open is guarded, so that no spelling of a path goes around. */
  private boolean isOpen(String path) {
    return keys.open() || path.startsWith(OPERATIONS) || path.equals(CONTRACT);
  }

  private static Optional<String> key(HttpServerRequest request) {
    return ApiKeys.sent(
        request.getHeader("X-API-Key"), request.getHeader(HttpHeaders.AUTHORIZATION));
  }

  /** Declared bytes of the body; 0 where it does not say. */
  private static long length(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? 0 : Long.parseLong(length);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Answers, and closes the connection once the unread body has had a chance to stop coming. */
  private void refuse(RoutingContext context, Problem problem) {
    context.request().routed(TURNED_AWAY);
    if (length(context.request()) > 0) {
      context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    answer(context, problem);
  }

  private void answer(RoutingContext context, Problem problem) {
    HttpServerResponse response = context.response();
    if (response.ended() || response.closed()) {
      return;
    }
    try {
      String path = context.normalizedPath();
      if (FlagFailure.speaks(path)) {
        response
            .setStatusCode(FlagFailure.status(problem))
            .putHeader(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON)
            .end(mapper.writeValueAsString(FlagFailure.of(path, problem)));
        return;
      }
      response
          .setStatusCode(problem.status())
          .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
          .end(mapper.writeValueAsString(problem));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a problem is always JSON", e);
    }
  }
}
