/**
 * Training as a job: from logged transitions to a published policy version. {@link
 * io.bellwether.trainer.job.Training} is the way in; {@link io.bellwether.trainer.job.TrainingJob}
 * is the Flink graph of parallel feeders and one learner; {@link
 * io.bellwether.trainer.job.Baseline} publishes the product's own ranking, with which the loop
 * starts.
 */
@NullMarked
package io.bellwether.trainer.job;

import org.jspecify.annotations.NullMarked;
