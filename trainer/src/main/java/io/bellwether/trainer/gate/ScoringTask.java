package io.bellwether.trainer.gate;

import io.bellwether.trainer.columns.LogColumns;
import io.bellwether.trainer.data.RowEncoder;
import io.bellwether.trainer.data.Selection;
import io.bellwether.trainer.data.TransitionPart;
import java.io.Serializable;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What is scored and with what, in values that travel to the tasks that do it. Immutable.
 *
 * @param threads that share the work of one task
 * @param baseline absent where the logging policy is the baseline
 * @param loggers policy versions that made decisions; columns have their indexes
 * @param loggerPolicies the same, open to be asked; empty where weights are not balanced
 * @param loggerShares share of the decisions that each made
 * @param models by the fold that each predicts; empty where there are none
 * @param signals in the order in which models predict them
 * @param items that support is shown for, the most frequent first
 * @param folder of the run; every task reaches it
 */
record ScoringTask(
    ArrayList<TransitionPart> parts,
    RowEncoder encoder,
    Selection selection,
    int threads,
    TargetPolicy target,
    @Nullable TargetPolicy baseline,
    ArrayList<String> loggers,
    ArrayList<TargetPolicy> loggerPolicies,
    ArrayList<Double> loggerShares,
    ArrayList<PortableGraph> models,
    ArrayList<String> signals,
    LogColumns columns,
    Segmentation segments,
    ItemClusters clusters,
    ArrayList<String> items,
    String folder)
    implements Serializable {

  private static final long serialVersionUID = 1;
}
