/**
 * What few runs on several tasks say about algorithms: interquartile means, chances of improvement,
 * performance profiles, and how far each could be off. Read {@link
 * io.bellwether.loadtest.learning.statistics.Runs} first.
 *
 * <p>Source: Agarwal, Schwarzer, Castro, Courville and Bellemare, "Deep Reinforcement Learning at
 * the Edge of the Statistical Precipice", 2021.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.learning.statistics;
