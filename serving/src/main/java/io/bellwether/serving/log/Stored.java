package io.bellwether.serving.log;

/** Where an event is safe. */
public enum Stored {
  /** Kafka has acknowledged it. */
  KAFKA,
  /** It is on this machine's disk, and goes to Kafka from there. */
  SPOOL,
  /** Nowhere, and the surface answers all the same. */
  UNLOGGED
}
