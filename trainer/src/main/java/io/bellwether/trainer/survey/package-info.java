/**
 * A first look at a log of any size, in bounded memory: what can be used, what cannot and why,
 * which of a decision's transitions counts as of a time, and a sample by subject. {@link
 * io.bellwether.trainer.survey.SurveyJob} is the graph, {@link io.bellwether.trainer.survey.Survey}
 * what comes of it, and {@link io.bellwether.trainer.survey.SurveyFiles} where it is left.
 */
@NullMarked
package io.bellwether.trainer.survey;

import org.jspecify.annotations.NullMarked;
