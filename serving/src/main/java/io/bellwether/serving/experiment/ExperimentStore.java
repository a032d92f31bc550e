package io.bellwether.serving.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.bellwether.policy.object.Depot;
import io.bellwether.policy.object.FolderDepot;
import io.bellwether.policy.object.Journal;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The append-only logs of all experiments, one journal each: {@code
 * experiments/{name}/{sequence}.json}. Appending move {@code n + 1} is a compare-and-set on "the
 * latest move is {@code n}", and that alone fences whoever moves experiments, in any number of
 * processes that share the depot. Thread-safe.
 */
public final class ExperimentStore {

  /** Names of experiments: they are folders, salts and parts of paths. */
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private static final String FOLDER = "experiments";

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
          .build();

  private final Depot depot;

  /**
   * The logs in a policy store.
   *
   * @param store folder of the policy store; made by the first append
   */
  public ExperimentStore(Path store) {
    this(new FolderDepot(store));
  }

  /** The logs in a policy store's depot, which is not closed here. */
  public ExperimentStore(Depot depot) {
    this.depot = depot;
  }

  /** The names of all experiments there ever were, in order. */
  public List<String> names() {
    return depot.folders(FOLDER).stream().filter(name -> NAME.matcher(name).matches()).toList();
  }

  /** The number of an experiment's latest move, 0 while there is none. */
  public long last(String name) {
    return NAME.matcher(name).matches() ? journal(name).last() : 0;
  }

  /** What is true of an experiment now; empty where there is none of this name. */
  public Optional<ExperimentState> state(String name) {
    long last = last(name);
    return last == 0 ? Optional.empty() : Optional.of(move(name, last).after());
  }

  /** One move. */
  public Move move(String name, long sequence) {
    try {
      return read(journal(name).read(sequence));
    } catch (UncheckedIOException e) {
      throw new UncheckedIOException(
          "cannot read move %d of '%s'".formatted(sequence, name), e.getCause());
    }
  }

  /** All moves of an experiment, in their order; empty where there is none of this name. */
  public List<Move> history(String name) {
    return NAME.matcher(name).matches()
        ? journal(name).readAll().stream().map(ExperimentStore::read).toList()
        : List.of();
  }

  /**
   * Appends a move if the latest one is the one before it; durable on return.
   *
   * @throws ProblemException {@code state-conflict} where somebody else moved first
   */
  public void append(Move move) {
    if (!journal(move.experiment()).append(move.sequence(), write(move))) {
      throw ProblemException.of(
          Slug.STATE_CONFLICT,
          "Somebody else moved '%s' first: move %d was made meanwhile."
              .formatted(move.experiment(), move.sequence()));
    }
  }

  private Journal journal(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("'" + name + "' is not an experiment's name");
    }
    return new Journal(depot, FOLDER + "/" + name);
  }

  /** Writes and reads what is in the logs. */
  static ObjectMapper mapper() {
    return MAPPER;
  }

  static byte[] write(Move move) {
    try {
      return MAPPER.writeValueAsBytes(move);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot write " + move, e);
    }
  }

  static Move read(byte[] bytes) {
    try {
      return MAPPER.readValue(bytes, Move.class);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read a move", e);
    }
  }
}
