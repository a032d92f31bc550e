package io.bellwether.serving.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Refusals;
import io.bellwether.serving.problem.Slug;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A call with one message in and one out. The event loop only gathers the message; it is read and
 * answered on a worker, unless its method says otherwise. A message that does not come in time, or
 * not fit with the others, ends the call. Thread-safe: whoever ends the call first does.
 */
final class BoundedCall extends ServerCall.Listener<byte[]> {

  private static final int RETRY_AFTER_SECONDS = 1;

  /** The message and a second one, to tell a call that has too many. */
  private static final int MESSAGES = 2;

  private final ServerCall<byte[], byte[]> call;
  private final Asked asked;
  private final Method method;
  private final CallRoom room;
  private final Executor workers;
  private final AtomicBoolean over = new AtomicBoolean();
  private @Nullable Future<?> expected;
  private byte @Nullable [] message;

  /** What is answered. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Reply(byte[] message, Metadata headers) {}

  /** What a call does. */
  @FunctionalInterface
  interface Method {
    CompletionStage<Reply> answer(byte[] message, Asked asked)
        throws InvalidProtocolBufferException;

    /** Whether it is called on the event loop, and leaves the work to others. */
    default boolean atOnce() {
      return false;
    }

    /**
     * A method that waits for no worker, since its answer has a deadline that also counts while all
     * of them are busy.
     */
    static Method atOnce(Method method) {
      return new Method() {
        @Override
        public CompletionStage<Reply> answer(byte[] message, Asked asked)
            throws InvalidProtocolBufferException {
          return method.answer(message, asked);
        }

        @Override
        public boolean atOnce() {
          return true;
        }
      };
    }
  }

  BoundedCall(
      ServerCall<byte[], byte[]> call,
      Asked asked,
      Method method,
      CallRoom room,
      Executor workers) {
    this.call = call;
    this.asked = asked;
    this.method = method;
    this.room = room;
    this.workers = workers;
  }

  /** Asks for the message. */
  BoundedCall begin() {
    expected =
        room.expect(
            () ->
                end(
                    Status.DEADLINE_EXCEEDED.withDescription(
                        "The request's message did not come in time."),
                    new Metadata()));
    room.whenFull(
        () -> refuse(busy("Too many bytes of requests are held already; send it again.")));
    call.request(MESSAGES);
    return this;
  }

  /** Ends a call at once, before a byte of its message is taken. */
  static ServerCall.Listener<byte[]> refuse(
      ServerCall<byte[], byte[]> call, ProblemException refusal) {
    RefusedCall refused = RefusedCall.of(refusal);
    call.close(refused.status(), refused.trailers());
    return new ServerCall.Listener<>() {};
  }

  @Override
  public void onMessage(byte[] received) {
    if (message == null) {
      message = received;
    } else {
      refuse(ProblemException.of(Slug.INVALID_REQUEST, "A call takes one message, not more."));
    }
  }

  @Override
  public void onHalfClose() {
    forget();
    byte[] whole = message;
    if (whole == null) {
      refuse(ProblemException.of(Slug.INVALID_REQUEST, "The call came without its message."));
    } else if (over.get()) {
      message = null;
    } else if (room.enter()) {
      if (method.atOnce()) {
        run(whole);
      } else {
        workers.execute(() -> run(whole));
      }
    } else {
      refuse(busy(room.maxCalls() + " calls are in progress, which is the most."));
    }
  }

  @Override
  public void onCancel() {
    over.set(true);
    message = null;
    forget();
  }

  @Override
  public void onComplete() {
    message = null;
    forget();
  }

  private void run(byte[] whole) {
    if (over.get()) {
      room.leave();
      return;
    }
    try {
      var unused =
          method
              .answer(whole, asked)
              .whenComplete(
                  (reply, failure) -> {
                    room.leave();
                    if (failure == null) {
                      answer(reply);
                    } else {
                      refuse(Refusals.of(failure));
                    }
                  });
    } catch (InvalidProtocolBufferException e) {
      room.leave();
      refuse(unreadable());
    } catch (RuntimeException e) {
      room.leave();
      refuse(Refusals.of(e));
    }
  }

  private void answer(Reply reply) {
    if (over.compareAndSet(false, true)) {
      call.sendHeaders(reply.headers());
      call.sendMessage(reply.message());
      call.close(Status.OK, new Metadata());
    }
  }

  private void refuse(ProblemException refusal) {
    RefusedCall refused = RefusedCall.of(refusal);
    end(refused.status(), refused.trailers());
  }

  private void end(Status status, Metadata trailers) {
    if (over.compareAndSet(false, true)) {
      call.close(status, trailers);
    }
  }

  private void forget() {
    Future<?> watched = expected;
    if (watched != null) {
      watched.cancel(false);
    }
  }

  /** What is said of a message that is not of the declared form. */
  static ProblemException unreadable() {
    return ProblemException.of(
        Slug.INVALID_REQUEST, "The message is not what its method takes: it cannot be read.");
  }

  private static ProblemException busy(String detail) {
    return ProblemException.retryAfter(Slug.RATE_LIMITED, RETRY_AFTER_SECONDS, detail);
  }
}
