package io.bellwether.trainer.algorithm;

import java.util.function.Function;

/**
 * Says what the policy under training reaches of each signal, and what the log reached. Owns a
 * forward graph until {@link #close}. Confined to one thread.
 */
interface PolicyJudge extends AutoCloseable {

  /** {@code weights} gives the current weights of a vector by its name. */
  PolicyEstimate estimate(Function<String, float[]> weights);

  @Override
  void close();
}
