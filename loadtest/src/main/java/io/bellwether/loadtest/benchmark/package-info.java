/**
 * Trained policies in the simulated world. What a policy promises on a log can be held against what
 * it is truly worth. Read {@link ServedPolicy}.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.benchmark;
