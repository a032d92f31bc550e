package io.bellwether.serving;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;

/** The one place where the service meets the time of day. */
final class SystemClock {

  @Produces
  @Singleton
  Clock clock() {
    return Clock.systemUTC();
  }
}
