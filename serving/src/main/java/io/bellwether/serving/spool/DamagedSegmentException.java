package io.bellwether.serving.spool;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file does not hold what was written to it, which no second attempt will change. */
final class DamagedSegmentException extends IOException {

  private static final long serialVersionUID = 1L;

  DamagedSegmentException(Path file, long at, @Nullable Throwable cause) {
    super(file + " is damaged at " + at, cause);
  }
}
