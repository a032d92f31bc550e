package io.bellwether.serving.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.bellwether.api.v1.DecisionsFile;
import io.bellwether.serving.grpc.BoundedCall.Reply;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.security.ApiKeysFixture;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The port itself, with methods that answer what they were sent. */
class GrpcListenerTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String SERVICE = "bellwether.v1.Decisions";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ExecutorService workers = Executors.newFixedThreadPool(2);
  private AutoCloseable opened = () -> {};
  private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
  private CompletableFuture<Reply> pending = new CompletableFuture<>();

  @AfterEach
  void closeAll() throws Exception {
    opened.close();
    workers.shutdownNow();
  }

  @Test
  void whoHasAKeyIsAnsweredWithMessageAndMetadata() throws Exception {
    Channel channel = open(new CallRoom(1 << 20, 10, LONG));
    assertArrayEquals(bytes("hello"), call(as(channel, "x-api-key", "secret"), "Decide", "hello"));
    assertArrayEquals(
        bytes("hello"), call(as(channel, "authorization", "bearer secret"), "Decide", "hello"));
    assertEquals(
        Status.Code.UNAUTHENTICATED, refused(channel, "Decide", "hello").getStatus().getCode());
    assertEquals(
        Status.Code.UNAUTHENTICATED,
        refused(as(channel, "x-api-key", "wrong"), "Decide", "hello").getStatus().getCode());
  }

  @Test
  void aRefusalSaysWhatRestSays() throws Exception {
    StatusRuntimeException refused =
        refused(as(open(room()), "x-api-key", "secret"), "Activate", "x");
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.getStatus().getCode());
    com.google.rpc.Status details = StatusProto.fromThrowable(refused);
    ErrorInfo info = detail(details, ErrorInfo.class);
    assertEquals("VALUE_OUT_OF_RANGE", info.getReason());
    assertEquals("400", info.getMetadataMap().get("status"));
    BadRequest.FieldViolation violation = detail(details, BadRequest.class).getFieldViolations(0);
    assertEquals("#/a", violation.getField());
    assertEquals("is too much?", violation.getDescription());
  }

  @Test
  void aLargeMessageIsTakenAndATooLargeOneIsNot() throws Exception {
    Channel channel = as(open(new CallRoom(1 << 30, 10, LONG)), "x-api-key", "secret");
    String large = "x".repeat(Limits.STANDARD.grpcMessageBytes());
    assertEquals(large.length(), call(channel, "Decide", large).length);
    assertEquals(
        Status.Code.RESOURCE_EXHAUSTED,
        refused(channel, "Decide", large + "x").getStatus().getCode());
  }

  @Test
  void whoComesWhenAllCallsAreTakenIsAskedToComeAgain() throws Exception {
    CallRoom room = new CallRoom(1 << 20, 1, LONG);
    Channel channel = as(open(room), "x-api-key", "secret");
    var first = ClientCalls.futureUnaryCall(newCall(channel, "DecideBatch"), bytes("x"));
    begun.get();
    StatusRuntimeException refused = refused(channel, "Decide", "y");
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.getStatus().getCode());
    assertEquals(
        1,
        detail(StatusProto.fromThrowable(refused), RetryInfo.class).getRetryDelay().getSeconds());
    pending.complete(new Reply(bytes("late"), new Metadata()));
    assertArrayEquals(bytes("late"), first.get());
    assertArrayEquals(bytes("z"), call(channel, "Decide", "z"));
  }

  @Test
  void aDecisionIsBegunWhileAllWorkersAreBusy() throws Exception {
    Channel channel = as(open(room()), "x-api-key", "secret");
    CompletableFuture<Boolean> free = new CompletableFuture<>();
    workers.execute(free::join);
    workers.execute(free::join);
    try {
      var decided = ClientCalls.futureUnaryCall(newCall(channel, "Decide"), bytes("z"));
      assertArrayEquals(bytes("z"), decided.get(20, TimeUnit.SECONDS));
    } finally {
      free.complete(true);
    }
  }

  @Test
  void messagesThatDoNotFitEndTheirCalls() throws Exception {
    CallRoom room = new CallRoom(1000, 10, LONG);
    Channel channel = as(open(room), "x-api-key", "secret");
    assertEquals(
        Status.Code.RESOURCE_EXHAUSTED,
        refused(channel, "DecideBatch", "x".repeat(2000)).getStatus().getCode());
    assertArrayEquals(bytes("z"), call(channel, "Decide", "z"));
    assertTrue(room.heldBytes() < 1000, "what ended is given back");
  }

  @Test
  void aMessageThatDoesNotComeEndsItsCall() throws Exception {
    Channel channel =
        as(open(new CallRoom(1 << 20, 10, Duration.ofMillis(1))), "x-api-key", "secret");
    CompletableFuture<Status> closed = new CompletableFuture<>();
    // A client sends the headers of a unary call with its message.
    channel
        .newCall(
            method("Decide").toBuilder()
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .build(),
            CallOptions.DEFAULT)
        .start(
            new ClientCall.Listener<>() {
              @Override
              public void onClose(Status status, Metadata trailers) {
                closed.complete(status);
              }
            },
            new Metadata());
    assertEquals(Status.Code.DEADLINE_EXCEEDED, closed.get().getCode());
  }

  @Test
  void messagesAreNotDecompressed() throws Exception {
    Channel channel = as(open(room()), "x-api-key", "secret");
    StatusRuntimeException refused =
        assertThrows(
            StatusRuntimeException.class,
            () ->
                ClientCalls.blockingUnaryCall(
                    channel,
                    method("Decide"),
                    CallOptions.DEFAULT.withCompression("gzip"),
                    bytes("x".repeat(1000))));
    assertEquals(Status.Code.UNIMPLEMENTED, refused.getStatus().getCode());
  }

  @Test
  void theServicesCanBeLookedUpWithoutAKey() throws Exception {
    CompletableFuture<List<String>> names = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(open(room()))
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    names.complete(
                        response.getListServicesResponse().getServiceList().stream()
                            .map(ServiceResponse::getName)
                            .toList());
                  }

                  @Override
                  public void onError(Throwable failure) {
                    names.completeExceptionally(failure);
                  }

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    requests.onCompleted();
    assertTrue(names.get().contains(SERVICE), names.get().toString());
  }

  @Test
  void whoLooksServicesUpForEverTakesNobodysRoom() throws Exception {
    CallRoom room = new CallRoom(1000, 10, LONG);
    Channel channel = open(room);
    CompletableFuture<ServerReflectionResponse> answered = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(channel)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    answered.complete(response);
                  }

                  @Override
                  public void onError(Throwable failure) {
                    answered.completeExceptionally(failure);
                  }

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(
        ServerReflectionRequest.newBuilder().setFileByFilename("x".repeat(2000)).build());
    assertTrue(answered.get().hasErrorResponse());
    assertArrayEquals(bytes("z"), call(as(channel, "x-api-key", "secret"), "Decide", "z"));
    requests.onCompleted();
  }

  @Test
  void callsAreCountedByMethodAndStatusAndStrangersByNoName() throws Exception {
    Channel channel = as(open(room()), "x-api-key", "secret");
    call(channel, "Decide", "x");
    refused(channel, "Nothing", "x");
    // Whoever is answered may see it before the call is over here.
    opened.close();
    opened = () -> {};
    assertEquals(
        1,
        registry
            .get("bellwether.grpc.calls")
            .tags("method", SERVICE + "/Decide", "code", "OK")
            .timer()
            .count());
    assertEquals(1, registry.get("bellwether.grpc.calls").tags("method", "other").timer().count());
  }

  private static CallRoom room() {
    return new CallRoom(1 << 20, 10, LONG);
  }

  private Channel open(CallRoom room) {
    GrpcListener listener =
        new GrpcListener(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            List.of(
                new DecisionsApi.Service(
                    SERVICE,
                    DecisionsFile.getDescriptor(),
                    false,
                    Map.of(
                        "Decide",
                        BoundedCall.Method.atOnce(
                            (message, asked) ->
                                CompletableFuture.completedFuture(
                                    new Reply(message, new Metadata()))),
                        "DecideBatch",
                        (message, asked) -> {
                          begun.complete(true);
                          return pending;
                        },
                        "Activate",
                        (message, asked) ->
                            CompletableFuture.failedFuture(
                                new ProblemException(
                                    Problem.at(
                                        Slug.VALUE_OUT_OF_RANGE, "#/a", "is too much\ud83e"))),
                        "RecordOutcome",
                        (message, asked) -> pending,
                        "RecordOutcomes",
                        (message, asked) -> pending))),
            ApiKeysFixture.of("secret"),
            workers,
            room,
            new CallMeters(registry));
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", listener.port())
            .usePlaintext()
            .maxInboundMessageSize(1 << 30)
            .build();
    opened =
        () -> {
          channel.shutdownNow();
          listener.close();
        };
    return channel;
  }

  private static Channel as(Channel channel, String header, String key) {
    Metadata metadata = new Metadata();
    metadata.put(Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER), key);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  private static byte[] call(Channel channel, String method, String message) {
    return ClientCalls.blockingUnaryCall(
        channel, method(method), CallOptions.DEFAULT, bytes(message));
  }

  private static StatusRuntimeException refused(Channel channel, String method, String message) {
    return assertThrows(StatusRuntimeException.class, () -> call(channel, method, message));
  }

  private static ClientCall<byte[], byte[]> newCall(Channel channel, String method) {
    return channel.newCall(method(method), CallOptions.DEFAULT);
  }

  private static <T extends Message> T detail(com.google.rpc.Status status, Class<T> type)
      throws Exception {
    for (Any any : status.getDetailsList()) {
      if (any.is(type)) {
        return any.unpack(type);
      }
    }
    throw new AssertionError("no " + type + " in " + status);
  }

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(SERVICE + "/" + name)
        .setRequestMarshaller(new Plain())
        .setResponseMarshaller(new Plain())
        .build();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static final class Plain implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
