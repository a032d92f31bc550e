package io.bellwether.trainer.algorithm;

/**
 * What a trained policy's networks say about a {@link TabularProcess}, as tables that closed forms
 * can be held against.
 *
 * @param chances {@code π(a|s)} as {@code [state][action]}, before any exploration
 * @param stateValues {@code V(s)} as {@code [signal][state]}, in the signals' own units
 * @param actionValues {@code Q(s, a)} as {@code [signal][state][action]}, in the signals' own units
 */
@SuppressWarnings("ArrayRecordComponent")
record TabularAnswer(double[][] chances, double[][] stateValues, double[][][] actionValues) {

  static TabularAnswer of(TrainedPolicy policy, TabularProcess process) {
    LearnerData data = process.weighted();
    TrainingForward forward = TrainingForward.of(policy, data);
    TabularAnswer answer =
        new TabularAnswer(
            new double[process.states()][],
            new double[process.signals()][process.states()],
            new double[process.signals()][process.states()][process.actions()]);
    for (int row = 0; row < data.rows(); row++) {
      int state = process.state(data, row);
      answer.chances[state] = forward.probabilities(row);
      for (int signal = 0; signal < process.signals(); signal++) {
        answer.stateValues[signal][state] = forward.stateValue(row, signal);
        for (int action = 0; action < process.actions(); action++) {
          answer.actionValues[signal][state][action] = forward.actionValue(row, action, signal);
        }
      }
    }
    return answer;
  }
}
