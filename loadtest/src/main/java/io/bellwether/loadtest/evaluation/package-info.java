/**
 * What the evaluation of policies is measured by: reference numbers, logs whose truth is known,
 * failures planted in them, and the time that another tool needs for the same numbers. Nothing here
 * judges a policy of the product. Read {@link
 * io.bellwether.loadtest.evaluation.EvaluationBenchmark} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.evaluation;
