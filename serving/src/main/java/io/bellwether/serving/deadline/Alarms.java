package io.bellwether.serving.deadline;

/** Rings at a time. Thread-safe. */
interface Alarms {

  /** The time now, {@link System#nanoTime}'s. */
  long nanos();

  /** Rings at this time, or at once where it is past, on a thread that is not the caller's. */
  Alarm at(long nanos, Runnable ring);

  /** Something that will ring. */
  interface Alarm {

    /** Keeps it from ringing if it has not. */
    void cancel();
  }
}
