package io.bellwether.trainer.survey;

import io.bellwether.trainer.data.RowEncoder;
import io.bellwether.trainer.data.Selection;
import io.bellwether.trainer.data.TransitionPart;
import java.io.Serializable;
import java.util.ArrayList;

/**
 * What a survey reads, in values that travel to its tasks. Immutable.
 *
 * @param threads that share the work of one task
 * @param sampleTransitions most transitions of the sample
 * @param sampleBytes most bytes that a learner needs for the sample
 * @param folder of the run; every task reaches it
 */
public record SurveyTask(
    ArrayList<TransitionPart> parts,
    RowEncoder encoder,
    Selection selection,
    int threads,
    int sampleTransitions,
    long sampleBytes,
    String folder)
    implements Serializable {

  private static final long serialVersionUID = 1;
}
