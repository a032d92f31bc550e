package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.Stages;
import io.bellwether.serving.decision.DecisionService.Decided;

/** Where a decision's time went, as the header {@code Server-Timing} says it, in milliseconds. */
final class ServerTiming {

  private static final int MICROS = 1000;

  /** Of eight stages, where none takes minutes. */
  private static final int CHARS = 192;

  private ServerTiming() {}

  static String of(Decided decided) {
    Stages stages = decided.decision().getStages();
    long log = decided.logNanos() / MICROS;
    long total =
        log
            + stages.getQueue()
            + stages.getRead()
            + stages.getRecall()
            + stages.getCandidates()
            + stages.getScore()
            + stages.getSample();
    StringBuilder header = new StringBuilder(CHARS);
    add(header, "queue", stages.getQueue());
    add(header, "read", stages.getRead());
    add(header, "recall", stages.getRecall());
    add(header, "candidates", stages.getCandidates());
    add(header, "model", stages.getScore());
    add(header, "sample", stages.getSample());
    add(header, "log", log);
    add(header, "total", total);
    return header.toString();
  }

  private static void add(StringBuilder header, String stage, long micros) {
    if (header.length() > 0) {
      header.append(", ");
    }
    header.append(stage).append(";dur=").append(micros / MICROS).append('.');
    long rest = micros % MICROS;
    header.append(rest < 100 ? "0" : "").append(rest < 10 ? "0" : "").append(rest);
  }
}
