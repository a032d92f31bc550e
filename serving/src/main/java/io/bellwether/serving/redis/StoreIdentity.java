package io.bellwether.serving.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Which Redis it is: a word that is kept in it. An address may come to lead to another store, whose
 * histories are those of other people; then it is not used. An empty store is given the word.
 * Confined to the thread that opens connections, except for {@link #mistaken}.
 */
final class StoreIdentity {

  static final String KEY = "bellwether:identity";

  private static final Logger LOG = Logger.getLogger(StoreIdentity.class);

  private @Nullable String expected;
  private volatile boolean mistaken;

  /** The store is another one, or did not say which one it is. */
  static final class UnknownStoreException extends Exception {
    private static final long serialVersionUID = 1L;

    UnknownStoreException(String message) {
      super(message);
    }
  }

  /**
   * @param configured the word of the right store; empty: of the first one that is met
   */
  StoreIdentity(Optional<String> configured) {
    expected = configured.orElse(null);
  }

  /**
   * Does nothing where the store is the right one.
   *
   * @throws UnknownStoreException where it is not, or does not answer in time
   */
  void check(RedisAsyncCommands<String, byte[]> commands, Duration timeout)
      throws UnknownStoreException, InterruptedException {
    String offered = expected == null ? UUID.randomUUID().toString() : expected;
    String found = word(commands, offered, timeout);
    if (expected == null) {
      expected = found;
    }
    if (found.equals(expected)) {
      mistaken = false;
      return;
    }
    if (!mistaken) {
      LOG.errorf("this is another Redis: %s in it is %.64s, expected %.64s", KEY, found, expected);
    }
    mistaken = true;
    throw new UnknownStoreException("it is another store");
  }

  /** Whether the store that was met last is another one than before. */
  boolean mistaken() {
    return mistaken;
  }

  private static String word(
      RedisAsyncCommands<String, byte[]> commands, String offered, Duration timeout)
      throws UnknownStoreException, InterruptedException {
    var written = commands.set(KEY, offered.getBytes(UTF_8), SetArgs.Builder.nx());
    var read = commands.get(KEY);
    try {
      written.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      byte[] word = read.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return word == null ? offered : new String(word, UTF_8);
    } catch (ExecutionException | TimeoutException e) {
      throw new UnknownStoreException("it did not say which store it is: " + e);
    }
  }
}
