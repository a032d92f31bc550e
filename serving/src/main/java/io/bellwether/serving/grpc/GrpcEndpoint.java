package io.bellwether.serving.grpc;

import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.security.ApiKeys;
import io.bellwether.serving.work.Workers;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Opens the gRPC port with the service, on the address that HTTP listens on. Thread-safe. */
@Singleton
final class GrpcEndpoint {

  private static final Logger LOG = Logger.getLogger(GrpcEndpoint.class);

  /** Of messages of all calls: a quarter of the smallest heap that the service is run with. */
  private static final long HELD_BYTES = 64L << 20;

  /** Waiting or running: beyond what is in progress only the reading of messages waits. */
  private static final int CALLS = 512;

  /** For a message of 4 MiB a link of 4 Mbit/s is fast enough. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final DecisionsApi api;
  private final ApiKeys keys;
  private final Workers workers;
  private final CallMeters meters;
  private final ServingConfig config;
  private final String host;
  private @Nullable GrpcListener listener;

  GrpcEndpoint(
      DecisionsApi api,
      ApiKeys keys,
      Workers workers,
      CallMeters meters,
      ServingConfig config,
      @ConfigProperty(name = "quarkus.http.host") String host) {
    this.api = api;
    this.keys = keys;
    this.workers = workers;
    this.meters = meters;
    this.config = config;
    this.host = host;
  }

  void start(@Observes StartupEvent event) {
    if (config.grpcPort() == 0) {
      return;
    }
    InetSocketAddress address = new InetSocketAddress(host, config.grpcPort());
    listener =
        new GrpcListener(
            address,
            List.of(api.decisions(), api.health()),
            keys,
            workers,
            new CallRoom(HELD_BYTES, CALLS, PATIENCE),
            meters);
    LOG.infof("gRPC listens on %s:%d", host, config.grpcPort());
  }

  void stop(@Observes ShutdownEvent event) {
    GrpcListener open = listener;
    if (open != null) {
      open.close();
    }
  }
}
