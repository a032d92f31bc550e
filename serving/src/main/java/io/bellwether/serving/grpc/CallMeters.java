package io.bellwether.serving.grpc;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.util.Set;

/** Counts and times calls by method and status. Thread-safe. */
@Singleton
final class CallMeters extends ServerStreamTracer.Factory {

  /** Names of strangers would fill the metrics. */
  private static final Set<String> METHODS =
      Set.of(
          "bellwether.v1.Decisions/Decide",
          "bellwether.v1.Decisions/DecideBatch",
          "bellwether.v1.Decisions/Activate",
          "bellwether.v1.Decisions/RecordOutcome",
          "bellwether.v1.Decisions/RecordOutcomes",
          "grpc.health.v1.Health/Check");

  private final MeterRegistry registry;

  CallMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    Timer.Sample started = Timer.start(registry);
    return new ServerStreamTracer() {
      @Override
      public void streamClosed(Status status) {
        started.stop(timer(METHODS.contains(method) ? method : "other", status.getCode()));
      }
    };
  }

  private Timer timer(String method, Status.Code code) {
    return Timer.builder("bellwether.grpc.calls")
        .description("Calls of the gRPC interface, from their headers to their status")
        .tag("method", method)
        .tag("code", code.name())
        .register(registry);
  }
}
