package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.report.Bounds;
import java.util.List;

/**
 * The last planned look of a group-sequential design that was taken; none is after a crossing.
 *
 * @param information units in at each look so far, as a share of the planned ones; empty before the
 *     first look
 * @param bound |z| that this look has to reach; 0 before the first one
 * @param z the effect at the look in standard errors; 0 before the first one
 * @param crossed whether the difference was shown at this look
 * @param repeated interval at the look, valid together with those of the other looks; after a
 *     crossing the estimate is biased away from zero
 */
public record GroupReading(
    List<Double> information, double bound, double z, boolean crossed, Bounds repeated) {

  public GroupReading {
    information = List.copyOf(information);
  }

  static GroupReading none(String reason) {
    return new GroupReading(List.of(), 0, 0, false, new Bounds.Absent(reason));
  }
}
