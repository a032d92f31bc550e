package io.bellwether.serving.rollout;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** What {@code /q/health/ready} says of rollouts. */
@Singleton
final class RolloutHealth {

  private final NumbersFeed feed;
  private final Leadership leadership;

  RolloutHealth(NumbersFeed feed, Leadership leadership) {
    this.feed = feed;
    this.leadership = leadership;
  }

  /** Always up: decisions do not wait for numbers, and without numbers no rollout moves. */
  @Produces
  @Singleton
  @Readiness
  HealthCheck rollouts() {
    return () ->
        HealthCheckResponse.named("rollouts")
            .up()
            .withData("leader", leadership.leads())
            .withData("numbers", feed.state())
            .build();
  }
}
