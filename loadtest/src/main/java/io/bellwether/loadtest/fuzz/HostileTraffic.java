package io.bellwether.loadtest.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Sends hostile requests to a running service, two thirds over REST and the rest over gRPC, and
 * counts how they were answered. Request number n of a seed is always the same bytes.
 *
 * <pre>{@code
 * HostileTraffic.Result result = HostileTraffic.run(target, seed, 1_000_000, residentBytes);
 * long leaked = HostileTraffic.leaks(logFile, target.apiKey());
 * }</pre>
 */
public final class HostileTraffic {

  private static final int THREADS = 4;
  private static final int FAULTS_SHOWN = 20;

  /** Memory is first looked at when the service has warmed up. */
  private static final double WARM = 0.2;

  /** UNKNOWN, INTERNAL and DATA_LOSS: what a service says of its own faults. */
  private static final List<Integer> GRPC_FAULTS = List.of(2, 13, 15);

  private final Target target;
  private final long seed;
  private final long requests;
  private final LongSupplier residentBytes;
  private final AtomicLong next = new AtomicLong();
  private final Map<String, LongAdder> answers = new ConcurrentSkipListMap<>();
  private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
  private final AtomicLong warmBytes = new AtomicLong();

  /**
   * What is sent to.
   *
   * @param grpcPort on the same host; 0 for REST alone
   * @param surface that is declared there
   * @param apiKey that is accepted there; blank where none is needed
   */
  public record Target(String host, int httpPort, int grpcPort, String surface, String apiKey) {}

  /**
   * What came of it.
   *
   * @param answers how many of each kind, such as {@code REST 400} or {@code gRPC 3}
   * @param faults answers that blame the service, and missing ones that were due; 20 are shown
   * @param residentGrowth of the service's memory from the first fifth to the end, as a share; 0
   *     where it was not measured
   */
  public record Result(
      long sent, SortedMap<String, Long> answers, List<String> faults, double residentGrowth) {

    public Result {
      answers = Collections.unmodifiableSortedMap(new TreeMap<>(answers));
      faults = List.copyOf(faults);
    }
  }

  private HostileTraffic(Target target, long seed, long requests, LongSupplier residentBytes) {
    this.target = target;
    this.seed = seed;
    this.requests = requests;
    this.residentBytes = residentBytes;
  }

  /**
   * Sends so many requests, and returns when all are answered.
   *
   * @param residentBytes of the service now; 0 where it cannot be told
   */
  public static Result run(Target target, long seed, long requests, LongSupplier residentBytes)
      throws InterruptedException {
    return new HostileTraffic(target, seed, requests, residentBytes).run();
  }

  /**
   * Lines of a log that hold something of a body, or a secret, of hostile requests.
   *
   * @param apiKey that was sent; blank for none
   */
  public static long leaks(Path log, String apiKey) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(Files.newInputStream(log), ISO_8859_1))) {
      return lines.lines().filter(line -> leaks(line, apiKey)).count();
    }
  }

  private static boolean leaks(String line, String apiKey) {
    return line.contains(HostileJson.CANARY)
        || line.contains(HostileHttp.SECRET_CANARY)
        || (!apiKey.isBlank() && line.contains(apiKey));
  }

  private Result run() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(this::send, "hostile-" + i);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long warm = warmBytes.get();
    SortedMap<String, Long> counted = new TreeMap<>();
    answers.forEach((kind, count) -> counted.put(kind, count.sum()));
    return new Result(
        requests,
        counted,
        faults.stream().limit(FAULTS_SHOWN).toList(),
        warm == 0 ? 0 : residentBytes.getAsLong() / (double) warm - 1);
  }

  private void send() {
    try (HttpConnection http =
            new HttpConnection(new InetSocketAddress(target.host(), target.httpPort()));
        GrpcConnection grpc =
            new GrpcConnection(new InetSocketAddress(target.host(), target.grpcPort()))) {
      for (long i = next.getAndIncrement(); i < requests; i = next.getAndIncrement()) {
        if (i == (long) (WARM * requests)) {
          warmBytes.set(residentBytes.getAsLong());
        }
        Chance chance = new Chance(seed, i);
        if (target.grpcPort() == 0 || !chance.oneIn(3)) {
          sendHttp(i, chance, http);
        } else if (chance.oneIn(100)) {
          grpc.attack(chance);
          count("gRPC attack");
        } else {
          sendGrpc(i, chance, grpc);
        }
      }
    } catch (IOException e) {
      faults.add("the service does not take connections: " + e.getMessage());
    }
  }

  private void sendHttp(long number, Chance chance, HttpConnection http) throws IOException {
    HostileHttp.Request request = new HostileHttp(chance, target.surface(), target.apiKey()).next();
    int status = http.send(request);
    count("REST " + answered(status, HttpConnection.CLOSED, HttpConnection.SILENT));
    if (status >= 500 || (status < 0 && request.whole())) {
      faults.add("request " + number + ", " + firstLine(request.bytes()) + ": " + status);
    }
  }

  private void sendGrpc(long number, Chance chance, GrpcConnection grpc) throws IOException {
    HostileGrpc.Call call = new HostileGrpc(chance, target.surface(), target.apiKey()).next();
    int status = grpc.call(call);
    count("gRPC " + answered(status, GrpcConnection.CUT, GrpcConnection.SILENT));
    if (call.whole() && (status < 0 || GRPC_FAULTS.contains(status))) {
      faults.add("request " + number + ", " + call.headers().get(2).value() + ": " + status);
    }
  }

  private static String answered(int status, int closed, int silent) {
    return status == closed ? "closed" : status == silent ? "silent" : Integer.toString(status);
  }

  private void count(String kind) {
    answers.computeIfAbsent(kind, added -> new LongAdder()).increment();
  }

  private static String firstLine(byte[] bytes) {
    String text = new String(bytes, 0, Math.min(80, bytes.length), ISO_8859_1);
    return text.lines().findFirst().orElse("");
  }
}
