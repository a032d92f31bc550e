/**
 * A bounded queue of byte strings in a folder, for what must not be lost while its receiver is
 * away. {@link io.bellwether.serving.spool.Spool} appends, reads in order and removes; {@link
 * io.bellwether.serving.spool.Segment} is one of its files. Knows nothing of events or of Kafka.
 */
@NullMarked
package io.bellwether.serving.spool;

import org.jspecify.annotations.NullMarked;
