/**
 * The interface over gRPC, on a port of its own, beside REST and with its semantics: a message is
 * turned into the JSON of the REST request, and the same services answer it. Read {@link
 * io.bellwether.serving.grpc.DecisionsApi} for what can be called, {@link
 * io.bellwether.serving.grpc.BoundedCall} for how a call runs, and {@link
 * io.bellwether.serving.grpc.GrpcListener} for what a connection may do.
 */
@NullMarked
package io.bellwether.serving.grpc;

import org.jspecify.annotations.NullMarked;
