package io.bellwether.loadtest.load;

/**
 * Something that the product had to send was refused, or could not be delivered in time. The run is
 * void: its counts would not be those of what people did.
 */
public final class UndeliveredException extends Exception {
  private static final long serialVersionUID = 1;

  UndeliveredException(String message) {
    super(message);
  }

  UndeliveredException(String message, Throwable cause) {
    super(message, cause);
  }
}
