/**
 * What learning costs: updates per second beside the same step as a plain PyTorch loop and beside
 * the machine's rate of matrix products, two learners beside one, memory over many updates, and
 * feeding beside an empty pipeline. Read {@link
 * io.bellwether.loadtest.learning.speed.LearningSpeed} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.learning.speed;
