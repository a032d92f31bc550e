/**
 * The way out: events to Kafka, acknowledged before anything is answered. {@link
 * io.bellwether.serving.log.EventLog} sends, {@link io.bellwether.serving.log.Event} is what is
 * sent. Where Kafka does not acknowledge in time, the caller gets {@code unavailable} and may send
 * the same request again.
 */
@NullMarked
package io.bellwether.serving.log;

import org.jspecify.annotations.NullMarked;
