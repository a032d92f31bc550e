package io.bellwether.serving.spool;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Nothing more can be kept: the bound is reached, or the disk takes no more. */
public final class SpoolFullException extends IOException {

  private static final long serialVersionUID = 1L;

  SpoolFullException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
