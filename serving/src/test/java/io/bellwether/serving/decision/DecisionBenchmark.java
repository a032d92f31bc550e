package io.bellwether.serving.decision;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.sun.management.ThreadMXBean;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringLane;
import io.bellwether.serving.deadline.Deadline;
import io.bellwether.serving.deadline.Punctuality;
import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.experiment.ExperimentsFixture;
import io.bellwether.serving.experiment.Occasion;
import io.bellwether.serving.fallback.FallbackFixture;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.item.CatalogueFixture;
import io.bellwether.serving.log.DecisionLog;
import io.bellwether.serving.log.DecisionLogFixture;
import io.bellwether.serving.log.EventIdsFixture;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.policy.VersionsFixture;
import io.bellwether.serving.retrieval.RetrievalFixture;
import io.bellwether.serving.scoring.ScoringQueueFixture;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.bellwether.serving.work.WorkersFixture;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A program that prints what one decision among 100 registered items takes on one thread, stage by
 * stage: microseconds of the processor, bytes allocated, and how that compares with the graph
 * alone. Its only argument is the seconds for each graph (4 without it).
 */
final class DecisionBenchmark {

  private static final int CANDIDATES = 100;
  private static final int REGISTERED = 1000;
  private static final int DIFFERENT = 499;
  private static final int CONTEXT = 64;
  private static final int ITEM = 32;

  private static final String SURFACE =
      """
      surface: bench
      slate: { size: 6, candidates: { max: 500 } }
      context:
        - { name: state, type: vector, size: 64 }
      item:
        - { name: features, type: vector, size: 32 }
      signals:
        - { name: watch_seconds, type: number, min: 0, max: 3600, window: 30m }
      objective: { maximize: watch_seconds, discount: 0.9 }
      exploration: { temperature: 1.0, uniform: 0.02, min-propensity: 0.0001 }
      """;

  private static final String[] STAGES = {
    "read", "score and draw", "encode", "answer", "graph alone"
  };

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Surfaces surfaces = surfaces();
  private final DeclaredSurface surface = surfaces.require("bench");
  private final Versions versions = VersionsFixture.none(surfaces);
  private final Catalogue catalogue = CatalogueFixture.of(surfaces, items());
  private final Situations situations =
      new Situations(catalogue, RetrievalFixture.retrieval(surfaces, catalogue), versions);
  private final DecisionRequestReader reader =
      new DecisionRequestReader(surfaces, catalogue, EventIdsFixture.ids());
  private final DecisionMaker maker =
      new DecisionMaker(
          versions,
          ScoringQueueFixture.on(WorkersFixture.of(1))::score,
          new Punctuality(),
          FallbackFixture.chain(surfaces));
  private final DecisionLog log = DecisionLogFixture.alone();
  private final JsonMapper json =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  private final byte[][] bodies = new byte[DIFFERENT][];
  private final long[] nanos = new long[STAGES.length];
  private final long[] bytes = new long[STAGES.length];
  private long beganNanos;
  private long beganBytes;

  public static void main(String[] arguments) throws IOException {
    double seconds = arguments.length == 0 ? 4 : Double.parseDouble(arguments[0]);
    DecisionBenchmark benchmark = new DecisionBenchmark();
    Arrays.setAll(benchmark.bodies, DecisionBenchmark::body);
    benchmark.run("linear", seconds);
    benchmark.run("64+32 -> 256 -> 256 -> 1", seconds, 256, 256);
    System.exit(0);
  }

  private void run(String name, double seconds, int... hidden) throws IOException {
    FeatureSchema schema =
        new FeatureSchema(surface.layout().digest(), CONTEXT, 0, 0, ITEM, List.of());
    byte[] graph = LayeredPolicy.graph(schema, hidden);
    VersionsFixture.add(versions, surface, name, Scorer.open(graph, schema));
    VersionsFixture.crown(versions, surface, name);
    try (Scorer alone = Scorer.open(graph, schema);
        ScoringLane lane = new ScoringLane(schema)) {
      lane.batch().add(random(1, CONTEXT), new float[0], random(2, CANDIDATES * ITEM));
      repeat(alone, lane, seconds); // Until the compiler is done.
      Arrays.fill(nanos, 0);
      Arrays.fill(bytes, 0);
      print(name, repeat(alone, lane, seconds));
    }
  }

  private int repeat(Scorer alone, ScoringLane lane, double seconds) throws IOException {
    long until = System.nanoTime() + (long) (seconds * 1e9);
    int decisions = 0;
    while (System.nanoTime() < until) {
      byte[] body = bodies[decisions++ % bodies.length];
      begin();
      DecisionRequest request = reader.read(null, body);
      end(0);
      Situation situation = situations.of(question(request), Recalled.NOTHING);
      begin();
      DecisionMaker.Made made = maker.decide(situation).toCompletableFuture().join();
      end(1);
      begin();
      log.encode(made.decision(), made.items().bytes(), made.items()::writeTo);
      end(2);
      begin();
      json.writeValueAsBytes(DecisionAnswer.of(made.decision()));
      end(3);
      begin();
      lane.score(alone);
      end(4);
    }
    return decisions;
  }

  private void begin() {
    beganBytes = threads.getCurrentThreadAllocatedBytes();
    beganNanos = threads.getCurrentThreadCpuTime();
  }

  private void end(int stage) {
    nanos[stage] += threads.getCurrentThreadCpuTime() - beganNanos;
    bytes[stage] += threads.getCurrentThreadAllocatedBytes() - beganBytes;
  }

  private void print(String name, int decisions) {
    System.out.printf("%s, %d candidates by id, %d decisions%n", name, CANDIDATES, decisions);
    double allMicros = 0;
    double allBytes = 0;
    double graphMicros = nanos[STAGES.length - 1] / 1e3 / decisions;
    for (int stage = 0; stage < STAGES.length; stage++) {
      double micros = nanos[stage] / 1e3 / decisions;
      double allocated = (double) bytes[stage] / decisions;
      print(STAGES[stage], micros, allocated, micros / graphMicros);
      if (stage < STAGES.length - 1) {
        allMicros += micros;
        allBytes += allocated;
      }
    }
    print("a decision", allMicros, allBytes, allMicros / graphMicros);
  }

  private static void print(String stage, double micros, double allocated, double ratio) {
    System.out.printf(
        "  %-15s %8.1f us %8.0f bytes %6.2f x graph%n", stage, micros, allocated, ratio);
  }

  private static Question question(DecisionRequest request) {
    long now = System.nanoTime();
    return Question.of(
        request,
        new Occasion(request.subjectId(), request.decisionId(), request.sent(), Instant.now()),
        ExperimentsFixture.none(),
        new Assigned.None(Assigned.Reason.NO_EXPERIMENT),
        Deadline.of(now, Duration.ofSeconds(10)),
        new StageClock(now),
        null);
  }

  private static byte[] body(int decision) {
    StringBuilder body = new StringBuilder("{\"surface\":\"bench\",\"subject\":{\"id\":\"user-");
    body.append(decision).append("\"},\"context\":{\"state\":").append(vector(decision, CONTEXT));
    body.append("},\"candidates\":[");
    for (int i = 0; i < CANDIDATES; i++) {
      body.append(i == 0 ? "" : ",").append("{\"id\":\"item-");
      body.append((decision * 7 + i * 3) % REGISTERED).append("\"}");
    }
    return body.append("]}").toString().getBytes(UTF_8);
  }

  private static Map<String, String> items() {
    Map<String, String> items = new HashMap<>();
    for (int i = 0; i < REGISTERED; i++) {
      items.put("bench/item-" + i, "{'features':{'features':" + vector(i, ITEM) + "}}");
    }
    return items;
  }

  private static String vector(long seed, int size) {
    StringBuilder vector = new StringBuilder("[");
    for (float number : random(seed, size)) {
      vector.append(vector.length() == 1 ? "" : ",").append(Math.round(number * 1000) / 1000.0);
    }
    return vector.append(']').toString();
  }

  private static float[] random(long seed, int size) {
    float[] numbers = new float[size];
    for (int i = 0; i < size; i++) {
      numbers[i] = (float) CounterRandom.normal(seed, 5, i, 0, 0);
    }
    return numbers;
  }

  private static Surfaces surfaces() {
    try {
      return new Surfaces(
          List.of(new SurfaceReader().parse("bench.yaml", SURFACE.getBytes(UTF_8))));
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException(e);
    }
  }
}
