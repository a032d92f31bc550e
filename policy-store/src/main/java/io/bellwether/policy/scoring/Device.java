package io.bellwether.policy.scoring;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtProvider;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.providers.OrtCUDAProviderOptions;

/**
 * Where a graph is to run. What a session was asked for is not what it does: ONNX Runtime may put
 * single nodes elsewhere and say so to nobody, see {@link Placement}.
 */
public enum Device {
  /** The processor, one thread per call. */
  CPU("CPUExecutionProvider"),
  /** The first NVIDIA GPU; takes the artifact {@code onnxruntime_gpu}, CUDA 12 and cuDNN 9. */
  CUDA("CUDAExecutionProvider");

  private static final int FIRST_GPU = 0;

  private final String provider;

  Device(String provider) {
    this.provider = provider;
  }

  /** The name of ONNX Runtime's part that runs nodes there. */
  public String provider() {
    return provider;
  }

  /**
   * Whether the library at hand was built for this device. That says nothing about the machine:
   * only opening a graph tells whether it works there.
   */
  public boolean isBuiltIn() {
    return this == CPU || OrtEnvironment.getAvailableProviders().contains(OrtProvider.CUDA);
  }

  /**
   * How sessions on this device are set up; the caller closes it.
   *
   * @throws OrtException where the library or the machine lacks the device
   */
  OrtSession.SessionOptions options() throws OrtException {
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    try {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      options.setExecutionMode(OrtSession.SessionOptions.ExecutionMode.SEQUENTIAL);
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.ALL_OPT);
      options.addConfigEntry("session.intra_op.allow_spinning", "0");
      options.addConfigEntry("session.inter_op.allow_spinning", "0");
      // The runtime keeps one memory pattern per input shape for ever, and ragged shapes never
      // repeat.
      options.setMemoryPatternOptimization(false);
      if (this == CUDA) {
        addCuda(options);
      }
      return options;
    } catch (OrtException | RuntimeException e) {
      options.close();
      throw e;
    }
  }

  /** The options are copied, and are ours to close. */
  private static void addCuda(OrtSession.SessionOptions options) throws OrtException {
    try (OrtCUDAProviderOptions cuda = new OrtCUDAProviderOptions(FIRST_GPU)) {
      // Products in 19 bits are faster, and differ from those that were trained, evaluated and will
      // be replayed.
      cuda.add("use_tf32", "0");
      options.addCUDA(cuda);
    }
  }
}
