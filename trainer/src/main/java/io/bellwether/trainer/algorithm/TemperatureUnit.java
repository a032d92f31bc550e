package io.bellwether.trainer.algorithm;

/** What the temperature of a policy that follows a signal is a multiple of. */
public enum TemperatureUnit {
  /** The deviation of the signal's advantages over candidates, under the logging policy. */
  DEVIATION,

  /** The signal's own unit. */
  OWN
}
