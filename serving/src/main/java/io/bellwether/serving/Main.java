package io.bellwether.serving;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Where the process begins. */
@QuarkusMain
public final class Main {

  private static final String TRUSTED = "org.apache.avro.SERIALIZABLE_PACKAGES";

  Main() {}

  public static void main(String... arguments) {
    // Avro reads this once, and then refuses generated records of any other package.
    if (System.getProperty(TRUSTED) == null) {
      System.setProperty(TRUSTED, "io.bellwether.ingestion.event");
    }
    Quarkus.run(arguments);
  }
}
