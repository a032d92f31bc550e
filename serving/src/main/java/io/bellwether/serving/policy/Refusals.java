package io.bellwether.serving.policy;

import io.bellwether.policy.version.AliasConflictException;
import io.bellwether.policy.version.ApprovalNeededException;
import io.bellwether.policy.version.BrokenLogException;
import io.bellwether.policy.version.PromotionRefusedException;
import io.bellwether.policy.version.UnknownVersionException;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import java.util.function.Supplier;

/** What the policy store refuses, as the API says it. */
final class Refusals {

  private Refusals() {}

  /**
   * The result of a call of the store.
   *
   * @throws ApprovalNeededException as the store does: it is no refusal
   */
  static <T> T asProblems(Supplier<T> call) {
    try {
      return call.get();
    } catch (ApprovalNeededException e) {
      throw e;
    } catch (AliasConflictException | BrokenLogException e) {
      throw ProblemException.of(Slug.STATE_CONFLICT, String.valueOf(e.getMessage()));
    } catch (PromotionRefusedException e) {
      throw ProblemException.of(Slug.EVALUATION_NOT_PASSED, String.valueOf(e.getMessage()));
    } catch (UnknownVersionException e) {
      throw ProblemException.of(Slug.NOT_FOUND, String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      throw ProblemException.of(Slug.STATE_CONFLICT, String.valueOf(e.getMessage()));
    }
  }
}
