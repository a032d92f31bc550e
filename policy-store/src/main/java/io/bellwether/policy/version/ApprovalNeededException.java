package io.bellwether.policy.version;

/** A move that a second person has to approve; it was written down as a proposal. */
public final class ApprovalNeededException extends PromotionRefusedException {

  private static final long serialVersionUID = 1;

  private final long proposal;

  ApprovalNeededException(long proposal, String message) {
    super(message);
    this.proposal = proposal;
  }

  /** The proposal's number in the release log. */
  public long proposal() {
    return proposal;
  }
}
