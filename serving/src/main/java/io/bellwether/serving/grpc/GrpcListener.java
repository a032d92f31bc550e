package io.bellwether.serving.grpc;

import com.google.protobuf.Descriptors.FileDescriptor;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.security.ApiKeys;
import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.ServiceDescriptor;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The port of the gRPC interface, HTTP/2 without TLS. Its bounds: bytes of a message and of
 * headers, calls of a connection, calls that a connection gives up, pings, time without a call, and
 * what {@link CallRoom} bounds for all connections together. Messages are not compressed, so that
 * none is larger than it was sent. Owns the port, its event loop and the room. Thread-safe.
 */
final class GrpcListener implements AutoCloseable {

  private static final int HEADER_BYTES = 8 << 10;

  /** A client with more to ask at once opens another connection. */
  private static final int CALLS_PER_CONNECTION = 100;

  /**
   * Calls that one connection may give up in ten seconds: what a busy client abandons whose
   * deadlines all pass, and a small part of what a flood of resets (CVE-2023-44487) needs.
   */
  private static final int RESETS = 2000;

  private static final int RESETS_SECONDS = 10;

  private static final int PING_SECONDS = 10;
  private static final int DEAD_AFTER_SECONDS = 60;
  private static final int IDLE_MINUTES = 5;

  /** For calls that run when the listener closes; their decisions are logged by then or never. */
  private static final int CLOSING_MILLIS = 1000;

  /** It only moves bytes; what is in them is read by the workers. */
  private static final int EVENT_LOOPS = 1;

  private static final Metadata.Key<String> API_KEY = key("x-api-key");
  private static final Metadata.Key<String> AUTHORIZATION = key("authorization");

  private final CallRoom room;
  private final EventLoopGroup loops;
  private final Server server;

  /**
   * Opens the port.
   *
   * @param address of the port, 0 for any free one
   * @param meters beside the room
   * @throws UncheckedIOException where the port cannot be had
   */
  GrpcListener(
      InetSocketAddress address,
      List<DecisionsApi.Service> services,
      ApiKeys keys,
      Executor workers,
      CallRoom room,
      ServerStreamTracer.Factory meters) {
    this.room = room;
    loops = new NioEventLoopGroup(EVENT_LOOPS, new DefaultThreadFactory("grpc", true));
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .bossEventLoopGroup(loops)
            .workerEventLoopGroup(loops)
            .channelType(NioServerSocketChannel.class)
            .directExecutor()
            .maxInboundMessageSize(Limits.STANDARD.grpcMessageBytes())
            .maxInboundMetadataSize(HEADER_BYTES)
            .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION)
            .maxRstFramesPerWindow(RESETS, RESETS_SECONDS)
            .permitKeepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .keepAliveTime(DEAD_AFTER_SECONDS, TimeUnit.SECONDS)
            .maxConnectionIdle(IDLE_MINUTES, TimeUnit.MINUTES)
            .decompressorRegistry(
                DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false))
            .addStreamTracerFactory(room)
            .addStreamTracerFactory(meters)
            .addService(ProtoReflectionServiceV1.newInstance());
    services.forEach(service -> builder.addService(definition(service, keys, workers)));
    server = started(builder, address);
  }

  private Server started(NettyServerBuilder builder, InetSocketAddress address) {
    try {
      return builder.build().start();
    } catch (IOException e) {
      close(loops, room);
      throw new UncheckedIOException(
          "The gRPC port %s cannot be opened; set bellwether.grpc-port to a free one, or to 0."
              .formatted(address),
          e);
    }
  }

  /** The port that is listened to. */
  int port() {
    return server.getPort();
  }

  /** Takes no more calls, and waits a moment for those that run. */
  @Override
  public void close() {
    server.shutdown();
    try {
      if (!server.awaitTermination(CLOSING_MILLIS, TimeUnit.MILLISECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    close(loops, room);
  }

  private static void close(EventLoopGroup loops, CallRoom room) {
    room.close();
    var unused = loops.shutdownGracefully(0, CLOSING_MILLIS, TimeUnit.MILLISECONDS);
  }

  private ServerServiceDefinition definition(
      DecisionsApi.Service service, ApiKeys keys, Executor workers) {
    ServiceDescriptor.Builder descriptor =
        ServiceDescriptor.newBuilder(service.name())
            .setSchemaDescriptor(new DeclaringFile(service.file()));
    List<MethodDescriptor<byte[], byte[]>> methods =
        service.methods().keySet().stream().sorted().map(name -> method(service, name)).toList();
    methods.forEach(descriptor::addMethod);
    ServerServiceDefinition.Builder definition =
        ServerServiceDefinition.builder(descriptor.build());
    for (MethodDescriptor<byte[], byte[]> method : methods) {
      BoundedCall.Method does = service.methods().get(method.getBareMethodName());
      if (does != null) {
        definition.addMethod(method, handler(does, service.open() || keys.open(), keys, workers));
      }
    }
    return definition.build();
  }

  private ServerCallHandler<byte[], byte[]> handler(
      BoundedCall.Method method, boolean open, ApiKeys keys, Executor workers) {
    return (call, headers) ->
        open || isCaller(keys, headers)
            ? new BoundedCall(call, Asked.now(headers), method, room, workers).begin()
            : BoundedCall.refuse(
                call,
                ProblemException.of(
                    Slug.UNAUTHENTICATED,
                    "Send one of the service's keys as x-api-key or as authorization: Bearer."));
  }

  private static boolean isCaller(ApiKeys keys, Metadata headers) {
    return ApiKeys.sent(headers.get(API_KEY), headers.get(AUTHORIZATION))
        .filter(keys::accept)
        .isPresent();
  }

  private static MethodDescriptor<byte[], byte[]> method(
      DecisionsApi.Service service, String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(service.name(), name))
        .setRequestMarshaller(Bytes.AS_THEY_ARE)
        .setResponseMarshaller(Bytes.AS_THEY_ARE)
        .build();
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  /** What reflection shows of a service. */
  private record DeclaringFile(FileDescriptor file) implements ProtoFileDescriptorSupplier {
    @Override
    public FileDescriptor getFileDescriptor() {
      return file;
    }
  }

  /** Messages that are read elsewhere. */
  private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
    AS_THEY_ARE;

    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException("memory cannot be read", e);
      }
    }
  }
}
