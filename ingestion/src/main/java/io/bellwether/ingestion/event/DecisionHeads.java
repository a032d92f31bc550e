package io.bellwether.ingestion.event;

import io.bellwether.ingestion.event.DecisionHead.Placed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/**
 * Reads the heads of decisions without making the rest, most of which is features. What has a head
 * can be decoded: all bytes are passed. Confined to one thread.
 */
public final class DecisionHeads {

  private static final int FEW = 16;

  private final EventCodec<Decision> codec = EventCodec.of(Decision.class);
  private final EventCursor cursor = new EventCursor();
  private final Part[] parts;

  private String decisionId = "";
  private String surface = "";
  private String subjectId = "";
  private long decidedAtMicros;
  private int candidates;
  private int[] candidateAt = new int[FEW];
  private List<Placed> slate = List.of();
  private String mode = "";
  private boolean assigned;

  /** Reads or passes one field. */
  @FunctionalInterface
  private interface Part {
    void read() throws IOException;
  }

  public DecisionHeads() {
    Map<String, Part> wanted =
        Map.of(
            "decisionId", () -> decisionId = cursor.readText(),
            "surface", () -> surface = cursor.readName(),
            "subjectId", () -> subjectId = cursor.readText(),
            "decidedAtMicros", () -> decidedAtMicros = cursor.readLong(),
            "candidateIds", this::readCandidates,
            "slate", this::readSlate,
            "mode", () -> mode = cursor.readName());
    parts =
        Decision.getClassSchema().getFields().stream()
            .map(field -> part(field, wanted))
            .toArray(Part[]::new);
  }

  private Part part(Schema.Field field, Map<String, Part> wanted) {
    if (field.name().equals("assignment")) {
      return assignment(field.schema());
    }
    Skip skip = Skip.of(field.schema());
    Part known = wanted.get(field.name());
    return known == null ? () -> skip.over(cursor) : known;
  }

  private Part assignment(Schema union) {
    Skip[] branches = union.getTypes().stream().map(Skip::of).toArray(Skip[]::new);
    int none = union.getIndexNamed("null");
    return () -> {
      int branch = cursor.readIndex(branches.length);
      assigned = branch != none;
      branches[branch].over(cursor);
    };
  }

  /**
   * The head of a decision.
   *
   * @throws UndecodableEventException when the bytes are no decision
   */
  public DecisionHead read(byte[] bytes) throws UndecodableEventException {
    if (!codec.isCurrent(bytes)) {
      return DecisionHead.of(codec.decode(bytes));
    }
    try {
      cursor.begin(bytes, codec.headerLength());
      for (Part part : parts) {
        part.read();
      }
    } catch (IOException e) {
      throw EventCodec.undecodable(bytes, e);
    } finally {
      cursor.end();
    }
    return new DecisionHead(
        decisionId, surface, subjectId, decidedAtMicros, candidates, slate, mode, assigned);
  }

  /** Keeps only where they are: there may be a thousand, of which the slate names a few. */
  private void readCandidates() throws IOException {
    candidates = 0;
    for (long left = cursor.readBlock(); left > 0; left = cursor.readBlock()) {
      for (long i = 0; i < left; i++) {
        if (candidates == candidateAt.length) {
          candidateAt = Arrays.copyOf(candidateAt, 2 * candidates);
        }
        candidateAt[candidates++] = cursor.at();
        cursor.skipLengthAndBytes();
      }
    }
  }

  /** Comes after the candidates. */
  private void readSlate() throws IOException {
    slate = new ArrayList<>();
    for (long left = cursor.readBlock(); left > 0; left = cursor.readBlock()) {
      for (long i = 0; i < left; i++) {
        slate.add(readPlaced());
      }
    }
  }

  private Placed readPlaced() throws IOException {
    int candidate = cursor.readInt();
    int itemAt = cursor.at();
    String itemId = cursor.readName();
    double propensity = cursor.readDouble();
    if (candidate < 0 || candidate >= candidates) {
      return new Placed(candidate, itemId, propensity, null);
    }
    int called = candidateAt[candidate];
    String candidateId = cursor.sameText(called, itemAt) ? itemId : cursor.textAt(called);
    return new Placed(candidate, itemId, propensity, candidateId);
  }
}
