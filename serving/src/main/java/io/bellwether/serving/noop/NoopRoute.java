package io.bellwether.serving.noop;

import io.bellwether.serving.http.ShortWay;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.Limits;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The short way of {@code POST /v1/noop}, since decisions have it: a floor is as low as it gets.
 */
@Singleton
final class NoopRoute {

  private static final int OK = 200;

  private final NoopResource noop;
  private final ShortWay way;

  NoopRoute(NoopResource noop, ShortWay way) {
    this.noop = noop;
    this.way = way;
  }

  void install(@Observes Router router) {
    way.install(
        router,
        "/v1/noop",
        (request, body) ->
            CompletableFuture.completedFuture(
                new ShortWay.Answer(
                    OK, Map.of(), noop.answer(JsonBody.parse(body, Limits.STANDARD.bodyBytes())))));
  }
}
