package io.bellwether.serving.grpc;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.bellwether.api.v1.ActivateRequest;
import io.bellwether.api.v1.ActivateResponse;
import io.bellwether.api.v1.DecideBatchRequest;
import io.bellwether.api.v1.DecideBatchResponse;
import io.bellwether.api.v1.DecideRequest;
import io.bellwether.api.v1.Decision;
import io.bellwether.api.v1.DecisionsFile;
import io.bellwether.api.v1.Outcome;
import io.bellwether.api.v1.Receipt;
import io.bellwether.api.v1.RecordOutcomesRequest;
import io.bellwether.api.v1.RecordOutcomesResponse;
import io.bellwether.serving.decision.Decisions;
import io.bellwether.serving.exposure.Deferred;
import io.bellwether.serving.grpc.BoundedCall.Reply;
import io.bellwether.serving.outcome.OutcomeService;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.grpc.Metadata;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthProto;
import io.smallrye.health.SmallRyeHealthReporter;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What can be called: the methods of {@code decisions.proto}, each of which makes the JSON of its
 * REST request and asks the service that answers that one, and the health of the service. Immutable
 * and thread-safe.
 */
@Singleton
final class DecisionsApi {

  private static final String DECISIONS = "bellwether.v1.Decisions";
  private static final String HEALTH = "grpc.health.v1.Health";

  private final Decisions decisions;
  private final OutcomeService outcomes;
  private final Deferred deferred;
  private final SmallRyeHealthReporter health;
  private final ObjectMapper mapper;

  /**
   * A service of the interface.
   *
   * @param file that declares it
   * @param open whether it is called without a key
   */
  record Service(
      String name, FileDescriptor file, boolean open, Map<String, BoundedCall.Method> methods) {

    Service {
      methods = Map.copyOf(methods);
    }
  }

  DecisionsApi(
      Decisions decisions,
      OutcomeService outcomes,
      Deferred deferred,
      SmallRyeHealthReporter health,
      ObjectMapper mapper) {
    this.decisions = decisions;
    this.outcomes = outcomes;
    this.deferred = deferred;
    this.health = health;
    this.mapper = mapper;
  }

  /** Decisions, outcomes and activations. */
  Service decisions() {
    Map<String, BoundedCall.Method> methods = new LinkedHashMap<>();
    methods.put("Decide", BoundedCall.Method.atOnce(this::decide));
    methods.put("DecideBatch", this::decideBatch);
    methods.put("Activate", (message, asked) -> activate(message));
    methods.put("RecordOutcome", (message, asked) -> recordOutcome(message));
    methods.put("RecordOutcomes", (message, asked) -> recordOutcomes(message));
    return new Service(DECISIONS, DecisionsFile.getDescriptor(), false, methods);
  }

  /** What {@code /q/health/ready} says, to whoever asks. */
  Service health() {
    return new Service(
        HEALTH,
        HealthProto.getDescriptor(),
        true,
        Map.of("Check", (message, asked) -> check(HealthCheckRequest.parseFrom(message))));
  }

  /** The message is read by whoever comes to the request in time. */
  private CompletionStage<Reply> decide(byte[] message, Asked asked) {
    return decisions
        .decide(asked.with(() -> body(message)))
        .thenApply(
            reply ->
                reply(
                    reply.answer(), Decision.newBuilder(), RefusedCall.metadata(reply.headers())));
  }

  private CompletionStage<Reply> decideBatch(byte[] message, Asked asked)
      throws InvalidProtocolBufferException {
    byte[] json = json(message, DecideBatchRequest.parser());
    return decisions
        .decideAll(asked.with(() -> json))
        .thenApply(batch -> reply(batch, DecideBatchResponse.newBuilder(), new Metadata()));
  }

  private CompletionStage<Reply> activate(byte[] message) throws InvalidProtocolBufferException {
    ActivateRequest request = ActivateRequest.parseFrom(message);
    if (!request.hasDecisionId()) {
      throw new ProblemException(
          Problem.at(Slug.INVALID_REQUEST, "#/decisionId", "is missing, must be a text"));
    }
    return deferred
        .activate(request.getDecisionId())
        .thenApply(
            activated ->
                new Reply(ActivateResponse.getDefaultInstance().toByteArray(), new Metadata()));
  }

  private CompletionStage<Reply> recordOutcome(byte[] message)
      throws InvalidProtocolBufferException {
    return outcomes
        .take(json(message, Outcome.parser()))
        .thenApply(receipt -> reply(receipt, Receipt.newBuilder(), new Metadata()));
  }

  private CompletionStage<Reply> recordOutcomes(byte[] message)
      throws InvalidProtocolBufferException {
    return outcomes
        .takeBatch(json(message, RecordOutcomesRequest.parser()))
        .thenApply(batch -> reply(batch, RecordOutcomesResponse.newBuilder(), new Metadata()));
  }

  private CompletionStage<Reply> check(HealthCheckRequest request) {
    if (!Set.of("", DECISIONS, HEALTH).contains(request.getService())) {
      return CompletableFuture.failedFuture(
          ProblemException.of(Slug.NOT_FOUND, "There is no service of this name here."));
    }
    return health
        .getReadinessAsync()
        .subscribeAsCompletionStage()
        .thenApply(
            ready ->
                new Reply(
                    HealthCheckResponse.newBuilder()
                        .setStatus(
                            ready.isDown() ? ServingStatus.NOT_SERVING : ServingStatus.SERVING)
                        .build()
                        .toByteArray(),
                    new Metadata()));
  }

  private static byte[] body(byte[] message) {
    try {
      return json(message, DecideRequest.parser());
    } catch (InvalidProtocolBufferException e) {
      throw BoundedCall.unreadable();
    }
  }

  private static byte[] json(byte[] message, Parser<? extends Message> parser)
      throws InvalidProtocolBufferException {
    return JsonMessages.json(parser.parseFrom(message));
  }

  private Reply reply(@Nullable Object answer, Message.Builder into, Metadata headers) {
    return new Reply(
        JsonMessages.read(mapper.valueToTree(answer), into).build().toByteArray(), headers);
  }
}
