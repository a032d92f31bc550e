/**
 * Finite constrained decision processes whose optimum is known from a linear program, and what
 * exact constrained learners reach on them. Nothing here is a network: what is left is the
 * difference between the methods. Read {@link io.bellwether.loadtest.learning.tabular.TabularStudy}
 * first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.learning.tabular;
