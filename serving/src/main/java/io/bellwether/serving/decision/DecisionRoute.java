package io.bellwether.serving.decision;

import io.bellwether.serving.deadline.DeadlineHeaders;
import io.bellwether.serving.http.ShortWay;
import io.bellwether.serving.request.TraceContext;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** The short way of {@code POST /v1/decisions}; {@link DecisionResource} is the long one. */
@Singleton
final class DecisionRoute {

  private final Decisions decisions;
  private final ShortWay way;

  DecisionRoute(Decisions decisions, ShortWay way) {
    this.decisions = decisions;
    this.way = way;
  }

  void install(@Observes Router router) {
    way.install(
        router,
        "/v1/decisions",
        (request, body) ->
            decisions
                .decide(ask(request, body))
                .thenApply(
                    reply -> new ShortWay.Answer(reply.status(), reply.headers(), reply.answer())));
  }

  private static Ask ask(HttpServerRequest request, byte[] body) {
    return new Ask(
        request.getHeader("Idempotency-Key"),
        () -> body,
        System.nanoTime(),
        DeadlineHeaders.budgetMillis(request::getHeader),
        TraceContext.traceId(request.getHeader(TraceContext.HEADER)));
  }
}
