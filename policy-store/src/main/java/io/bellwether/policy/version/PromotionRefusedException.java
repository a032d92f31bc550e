package io.bellwether.policy.version;

/** A promotion without the verdict {@code pass} and without an override. */
public class PromotionRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  PromotionRefusedException(String message) {
    super(message);
  }
}
