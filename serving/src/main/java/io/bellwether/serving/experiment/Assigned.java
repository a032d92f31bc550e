package io.bellwether.serving.experiment;

/** What assignment says about one decision. Immutable. */
public sealed interface Assigned {

  /** No experiment: the default policy answers, and nobody is exposed. */
  record None(Reason reason) implements Assigned {}

  /**
   * A variant.
   *
   * @param state of its experiment
   * @param phase in which
   * @param variant what to show; for {@link Kind#INTERLEAVING} {@link Variant#INTERLEAVED}, whose
   *     teams are the declaration's variants with the versions of the phase
   * @param version who is to score: a version's id, {@code uniform}, {@code as-given}, the
   *     variant's name for a payload, {@code A+B} for an interleaved slate
   * @param unit what was randomised: the subject's id, the decision's, or the start of a block
   * @param bucket 0 to 9999; -1 where it was forced by an override
   * @param share chance with which a unit gets the variant in this phase; (0, 1]
   * @param forced whether it is shown and not counted: by an override, or in a block's washout
   * @param slice for a switchback the start of the block, otherwise empty
   */
  record ToVariant(
      ExperimentState state,
      Phase phase,
      Variant variant,
      String version,
      String unit,
      int bucket,
      double share,
      boolean forced,
      String slice)
      implements Assigned {}

  /** The first check that failed, in the order in which they are made. */
  enum Reason {
    /** The surface has no experiment that could assign. */
    NO_EXPERIMENT,
    /** The journals were not read for longer than the lease: another replica may know better. */
    STALE,
    /** It is a draft, or over. */
    NOT_RUNNING,
    /** Its treatments are scored and not shown. */
    SHADOW,
    /** Its start is in the future. */
    NOT_STARTED,
    /** Its end is past. */
    ENDED,
    /** There is no subject, or an id that many subjects share. */
    NO_UNIT,
    /** The unit is held out of all experiments. */
    HOLDOUT,
    /** A condition does not hold. */
    TARGETING,
    /** The unit's bucket of the layer is another experiment's or nobody's. */
    OUTSIDE_SLICE
  }
}
