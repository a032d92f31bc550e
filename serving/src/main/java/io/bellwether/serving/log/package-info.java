/**
 * The way out: events to Kafka, safe before anything is answered. {@link
 * io.bellwether.serving.log.EventLog} takes them, {@link io.bellwether.serving.log.Recording} is
 * one answer's way, and {@link io.bellwether.serving.log.EventSpool} keeps what Kafka does not take
 * now.
 */
@NullMarked
package io.bellwether.serving.log;

import org.jspecify.annotations.NullMarked;
