package io.bellwether.trainer.job;

import java.util.Optional;

/** Which version of the trainer this is, for manifests and reports. */
public final class CodeVersion {

  private CodeVersion() {}

  /** The version of the jar; {@code development} where classes stand in a folder. */
  public static String current() {
    return Optional.ofNullable(CodeVersion.class.getPackage().getImplementationVersion())
        .orElse("development");
  }
}
