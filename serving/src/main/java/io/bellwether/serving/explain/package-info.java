/**
 * What was decided, and why, asked afterwards. {@link io.bellwether.serving.explain.RecordFinder}
 * finds a decision's record and its outcomes in Kafka; {@link
 * io.bellwether.serving.explain.Explanation} is what a person gets to read of them.
 */
@NullMarked
package io.bellwether.serving.explain;

import org.jspecify.annotations.NullMarked;
