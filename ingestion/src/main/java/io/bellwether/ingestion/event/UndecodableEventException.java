package io.bellwether.ingestion.event;

/** Bytes that are no event of a known version. */
public final class UndecodableEventException extends Exception {

  private static final long serialVersionUID = 1L;

  UndecodableEventException(String message, Throwable cause) {
    super(message, cause);
  }
}
