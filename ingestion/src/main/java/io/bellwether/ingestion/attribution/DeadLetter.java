package io.bellwether.ingestion.attribution;

/**
 * A record that was refused.
 *
 * @param reason its {@link Reason#code}
 * @param detail what was found and what would be right
 */
public record DeadLetter(Received record, String reason, String detail) {

  static DeadLetter of(Received record, RefusedException refused) {
    return new DeadLetter(record, refused.reason().code(), String.valueOf(refused.getMessage()));
  }
}
