package io.bellwether.serving.decision;

import io.bellwether.serving.decision.DecisionService.Decided;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A decision as it leaves the service, the same for every interface that asks.
 *
 * @param status 201 for a new decision, 200 for a repeated one and for a dry run
 * @param headers what is said beside the answer; metadata in gRPC
 */
public record DecisionReply(int status, Map<String, String> headers, DecisionAnswer answer) {

  private static final int OK = 200;
  private static final int CREATED = 201;

  public DecisionReply {
    headers = Map.copyOf(headers);
  }

  static DecisionReply of(Decided decided) {
    DecisionAnswer answer = DecisionAnswer.of(decided.decision());
    Map<String, String> headers = new LinkedHashMap<>();
    if (decided.kind() == Decided.Kind.MADE) {
      headers.put("Location", "/v1/decisions/" + answer.decisionId());
      headers.put("Server-Timing", ServerTiming.of(decided));
    } else if (decided.kind() == Decided.Kind.REPLAYED) {
      headers.put("Idempotency-Replayed", "true");
    }
    if (answer.degraded() != null) {
      headers.put("Bellwether-Degraded", answer.degraded().reason());
    }
    return new DecisionReply(decided.kind() == Decided.Kind.MADE ? CREATED : OK, headers, answer);
  }
}
