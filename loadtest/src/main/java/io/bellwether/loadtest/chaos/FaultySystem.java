package io.bellwether.loadtest.chaos;

import java.net.URI;

/** A running system of our own whose parts can be made to fail. Used by one thread. */
public interface FaultySystem {

  /** Where clients reach serving: by way of a network that can fail. */
  URI url();

  /** Kafka's bootstrap servers. */
  String kafka();

  /** The version that is to answer, however damaged another one is. */
  String champion();

  /**
   * Begins a fault, and returns at once. The product's own clock is the product's affair: those
   * faults change nothing here.
   */
  void begin(Fault fault) throws Exception;

  /** Ends a fault; returns when whatever was started again runs. */
  void end(Fault fault) throws Exception;

  /** Starts one, hands it out, and stops it. */
  @FunctionalInterface
  interface Source {
    ChaosResult with(Use use) throws Exception;
  }

  /** What is done with it. */
  @FunctionalInterface
  interface Use {
    ChaosResult apply(FaultySystem system) throws Exception;
  }
}
