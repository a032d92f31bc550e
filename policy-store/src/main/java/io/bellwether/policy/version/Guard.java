package io.bellwether.policy.version;

import io.bellwether.policy.signature.TrustedKeys;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whose word counts for a reader of the release log. Immutable.
 *
 * @param keys those that are trusted now; asked at each look, so that a key can be revoked while
 *     the reader runs. The same object as before where nothing has changed
 * @param required whether an entry that no trusted key signed is refused
 * @param memory a file of this reader alone, which remembers how far the log was when it was last
 *     read: a store that was put back to an earlier state is then noticed after a restart too.
 *     Absent: it is noticed only by readers that run meanwhile
 */
public record Guard(Supplier<TrustedKeys> keys, boolean required, @Nullable Path memory) {

  /** Nobody's signature is asked for; a chain that was broken is refused all the same. */
  public static Guard none() {
    TrustedKeys nobody = TrustedKeys.none();
    return new Guard(() -> nobody, false, null);
  }
}
