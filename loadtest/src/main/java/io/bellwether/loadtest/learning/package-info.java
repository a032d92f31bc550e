/**
 * Learners beside each other where the truth is known: every algorithm of the trainer on simulated
 * tasks with several seeds, exact answers of small processes, and what learning costs. Read {@link
 * io.bellwether.loadtest.learning.LearningBenchmark} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.learning;
