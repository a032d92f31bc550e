package io.bellwether.serving.policy;

import io.bellwether.policy.scoring.Device;
import io.bellwether.serving.ServingConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The device on which graphs are meant to run. {@code auto} means the GPU where the library was
 * built for one and the machine shows one. Immutable.
 */
@Singleton
final class GraphDevice {

  /** NVIDIA's driver makes it, and container runtimes pass it through. */
  private static final Path DRIVER = Path.of("/dev/nvidiactl");

  private final Device wanted;

  @Inject
  GraphDevice(ServingConfig config) {
    this(
        switch (config.device()) {
          case CPU -> Device.CPU;
          case CUDA -> Device.CUDA;
          case AUTO -> Device.CUDA.isBuiltIn() && Files.exists(DRIVER) ? Device.CUDA : Device.CPU;
        });
  }

  GraphDevice(Device wanted) {
    this.wanted = wanted;
  }

  Device wanted() {
    return wanted;
  }
}
