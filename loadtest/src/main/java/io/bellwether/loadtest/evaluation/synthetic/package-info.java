/**
 * Logs in memory whose truth is known: worlds with the chance of every reaction written down, and
 * logs drawn from them by seed. Nothing here knows an estimator.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.evaluation.synthetic;
