package io.bellwether.loadtest.serving;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against sockets of its own, whose answers a test holds back. */
@Timeout(60)
class OpenLoopTest {
  private static final int REQUESTS = 200;
  private static final double PER_SECOND = 1_000;
  private static final byte[] REQUEST = "POST / HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch mayAnswer = new CountDownLatch(1);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /**
   * Coordinated omission: a generator that waits would have one slow request and 199 quick ones.
   */
  @Test
  void aServiceThatStoodStillShowsInEveryRequestOfThatTime() throws Exception {
    try (ServerSocket server = serve("200 OK", "");
        OpenLoop load = open(server, 1)) {
      LoadReport report =
          load.run(
              index -> REQUEST,
              evenly(REQUESTS, mayAnswer),
              PER_SECOND,
              nanos(REQUESTS),
              AnswerListener.NONE);
      assertEquals(REQUESTS, report.offered());
      assertEquals(REQUESTS, report.succeeded());
      // Nothing was answered before the last of 200 ms: half of all waited at least 100 ms.
      assertTrue(
          report.latency().millis(50) >= 95, () -> report.latency().percentiles().toString());
      assertTrue(report.latency().maxMillis() >= 195);
      // From sending, only the first one did.
      assertTrue(report.service().millis(50) < report.latency().millis(50));
      assertTrue(report.mostWaiting() >= REQUESTS - 2);
    }
  }

  @Test
  void answersAreCountedByTheirStatus() throws Exception {
    mayAnswer.countDown();
    try (ServerSocket server = serve("429 Too Many Requests", "Retry-After: 1\r\n");
        OpenLoop load = open(server, 2)) {
      LoadReport report = run(load);
      assertEquals(REQUESTS, report.limited());
      assertEquals(REQUESTS, report.unanswered());
      assertEquals(0, report.latency().count());
    }
    try (ServerSocket server = serve("201 Created", "Bellwether-Degraded: LATE\r\n");
        OpenLoop load = open(server, 2)) {
      LoadReport report = run(load);
      assertEquals(REQUESTS, report.succeeded());
      assertEquals(REQUESTS, report.degraded());
      assertTrue(report.sustained());
    }
  }

  @Test
  void lostConnectionsAreCountedAndOpenedAgain() throws Exception {
    mayAnswer.countDown();
    try (ServerSocket server = serve("", "");
        OpenLoop load = open(server, 2)) {
      LoadReport report = run(load);
      assertEquals(REQUESTS, report.failed() + report.succeeded());
      assertEquals(REQUESTS, report.failed());
    }
  }

  @Test
  void aRunCanBeStopped() throws Exception {
    mayAnswer.countDown();
    try (ServerSocket server = serve("200 OK", "");
        OpenLoop load = open(server, 1)) {
      LoadReport report =
          load.run(
              index -> REQUEST,
              evenly(Integer.MAX_VALUE, mayAnswer),
              PER_SECOND,
              TimeUnit.HOURS.toNanos(1),
              (index, sent, status, answer, from, to) -> load.stop());
      assertTrue(report.offered() < REQUESTS);
      assertEquals(report.offered(), report.succeeded());
    }
  }

  private LoadReport run(OpenLoop load) throws InterruptedException {
    return load.run(
        index -> REQUEST,
        evenly(REQUESTS, mayAnswer),
        PER_SECOND,
        nanos(REQUESTS),
        AnswerListener.NONE);
  }

  /** One per millisecond; lets the service answer once all are due. */
  private static Arrivals evenly(int count, CountDownLatch afterLast) {
    int[] next = {0};
    return () -> {
      if (next[0] >= count) {
        afterLast.countDown();
      }
      return nanos(next[0]++);
    };
  }

  private static long nanos(int request) {
    return TimeUnit.MILLISECONDS.toNanos(request);
  }

  private static OpenLoop open(ServerSocket server, int connections) throws IOException {
    return new OpenLoop(
        new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), connections);
  }

  /** Answers each request with this status, or closes the connection where it is blank. */
  private ServerSocket serve(String status, String fields) throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    byte[] answer =
        ("HTTP/1.1 " + status + "\r\n" + fields + "Content-Length: 2\r\n\r\n{}")
            .getBytes(ISO_8859_1);
    threads.submit(
        () -> {
          while (!server.isClosed()) {
            Socket socket = server.accept();
            threads.submit(() -> answer(socket, status.isEmpty() ? new byte[0] : answer));
          }
          return null;
        });
    return server;
  }

  private Void answer(Socket socket, byte[] answer) throws Exception {
    try (socket) {
      InputStream in = socket.getInputStream();
      byte[] request = new byte[REQUEST.length];
      while (in.readNBytes(request, 0, request.length) == request.length) {
        mayAnswer.await();
        if (answer.length == 0) {
          return null;
        }
        socket.getOutputStream().write(answer);
      }
      return null;
    }
  }
}
