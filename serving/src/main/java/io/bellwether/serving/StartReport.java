package io.bellwether.serving;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Says at the start with which settings the service runs, and ends it with its parent process. */
@Singleton
final class StartReport {

  private static final Logger LOG = Logger.getLogger(StartReport.class);

  private final ServingConfig config;

  StartReport(ServingConfig config) {
    this.config = config;
  }

  void say(@Observes StartupEvent event) {
    LOG.infof("effective settings%n%s", config.describe());
  }

  void followParent(@Observes StartupEvent event) {
    config.parentPid().ifPresent(StartReport::endWith);
  }

  private static void endWith(long pid) {
    ProcessHandle.of(pid)
        .ifPresentOrElse(
            parent -> {
              var unused = parent.onExit().thenRun(() -> end(pid));
            },
            () -> end(pid));
  }

  private static void end(long pid) {
    LOG.infof("process %d has ended, and so does this one", pid);
    Quarkus.asyncExit(0);
  }
}
