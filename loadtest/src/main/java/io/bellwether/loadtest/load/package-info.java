/**
 * A simulated product: it asks a running Bellwether what to show, over HTTP like any client, and
 * reports what people did, late, out of order and sometimes twice. It counts what it sent by
 * distinct id, so that what arrived can be held against it. Read {@link SimulatedProduct} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.load;
