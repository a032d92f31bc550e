package io.bellwether.trainer.algorithm;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The algorithms by the words that name them on command lines, in manifests and in benchmarks, each
 * with its defaults. Whoever adds an algorithm writes its class and one line here.
 */
public final class Algorithms {

  /**
   * What a surface, or a benchmark's task, asks of an algorithm.
   *
   * @param discount weight of the next decision, in [0, 1)
   * @param promises what has to be kept; algorithms without constraints leave them aside
   * @param settings what somebody chose, by name; all others have their usual values
   */
  public record Task(double discount, List<Promise> promises, SortedMap<String, Double> settings) {
    public Task {
      promises = List.copyOf(promises);
      settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    }

    /** With every setting as usual. */
    public Task(double discount, List<Promise> promises) {
      this(discount, promises, new TreeMap<>());
    }

    /** The value of a setting that the algorithm's entry declares. */
    public double setting(String name) {
      Double value = settings.get(name);
      if (value == null) {
        throw new IllegalStateException("setting " + name + " is not declared");
      }
      return value;
    }
  }

  /** Sets an algorithm to a task. */
  public interface Factory {
    Algorithm of(Task task);
  }

  /**
   * An algorithm.
   *
   * @param word its name
   * @param summary what it does, in a line
   * @param imitates whether it only imitates the log, and can do so from decisions without
   *     propensities
   * @param settings what can be chosen
   * @param factory gets tasks with all of these settings, whether chosen or usual
   */
  public record Entry(
      String word, String summary, boolean imitates, List<Setting> settings, Factory factory) {

    public Entry {
      settings = List.copyOf(settings);
      List<Setting> declared = settings;
      Factory given = factory;
      factory =
          task ->
              given.of(
                  new Task(
                      task.discount(), task.promises(), resolved(word, declared, task.settings())));
    }

    /** Without settings. */
    public Entry(String word, String summary, boolean imitates, Factory factory) {
      this(word, summary, imitates, List.of(), factory);
    }

    /**
     * All settings, as chosen or as usual.
     *
     * @throws IllegalArgumentException naming those that there are or the range, if one of the
     *     chosen cannot be
     */
    public SortedMap<String, Double> resolved(Map<String, Double> chosen) {
      return resolved(word, settings, chosen);
    }

    private static SortedMap<String, Double> resolved(
        String word, List<Setting> declared, Map<String, Double> chosen) {
      SortedMap<String, Double> all = new TreeMap<>();
      for (Setting setting : declared) {
        all.put(setting.name(), setting.usual());
      }
      for (String name : chosen.keySet()) {
        if (!all.containsKey(name)) {
          throw new IllegalArgumentException(
              "%s has no setting '%s', it has %s"
                  .formatted(word, name, all.isEmpty() ? "none" : String.join(", ", all.keySet())));
        }
      }
      for (Setting setting : declared) {
        Double value = chosen.get(setting.name());
        if (value != null) {
          all.put(setting.name(), setting.checked(value));
        }
      }
      return all;
    }
  }

  private static final List<Entry> ALL =
      List.of(
          new Entry(
              "behaviour-cloning",
              "imitates the logging policy: the baseline beside every learner",
              true,
              task -> BehaviourCloning.DEFAULT),
          new Entry(
              "filtered-cloning",
              "imitates the quarter of the log that turned out best",
              true,
              task -> FilteredCloning.DEFAULT.withDiscount(task.discount())),
          new Entry(
              "discrete-sac",
              "soft actor-critic with exact sums over candidates and automatic temperature",
              false,
              task -> new DiscreteSac(DiscreteSac.Config.DEFAULT.withDiscount(task.discount()))),
          new Entry(
              "td3",
              "the smaller of two critics, a delayed actor, imitation beside it",
              false,
              task -> new Td3(Td3.Config.DEFAULT.withDiscount(task.discount()))),
          new Entry(
              "cql",
              "soft actor-critic with values kept low where nothing was logged",
              false,
              List.of(
                  Setting.logarithmic(
                      "conservatism", "price of valuing what was not logged", 1, 0.1, 10)),
              task ->
                  new Cql(
                      Cql.Config.DEFAULT
                          .withDiscount(task.discount())
                          .withConservatism(task.setting("conservatism")))),
          new Entry(
              "iql",
              "in-sample expectile values, policy by advantage-weighted regression",
              false,
              List.of(
                  Setting.linear(
                      "expectile", "above 0.5 it looks for the better actions", 0.7, 0.5, 0.9),
                  Setting.logarithmic(
                      "inverse-temperature",
                      "how strongly better actions are preferred",
                      3,
                      0.2,
                      10)),
              task ->
                  new Iql(
                      Iql.Config.DEFAULT
                          .withDiscount(task.discount())
                          .withExpectile(task.setting("expectile"))
                          .withInverseTemperature(task.setting("inverse-temperature")))),
          new Entry(
              "bcq",
              "Q-learning over the candidates that an imitator would plausibly take",
              false,
              task -> new Bcq(Bcq.Config.DEFAULT.withDiscount(task.discount()))),
          new Entry(
              "crr",
              "imitates logged actions that beat the policy's own expectation",
              false,
              task -> new Crr(Crr.Config.DEFAULT.withDiscount(task.discount()))),
          new Entry(
              "awac",
              "imitates logged actions by normalised exponential advantages",
              false,
              task -> new Awac(Awac.Config.DEFAULT.withDiscount(task.discount()))),
          new Entry(
              "actor-critic",
              "the objective alone, close to the log: the negative control",
              false,
              task -> new ActorCritic(ActorCritic.Config.DEFAULT.withDiscount(task.discount()))),
          new Entry(
              "annealed",
              "backups that start optimistic and end as the policy's own",
              false,
              task -> new Annealed(Annealed.Config.DEFAULT.withDiscount(task.discount()))),
          new Entry(
              "iterated-q",
              "several Bellman steps at once, one per head of the critic",
              false,
              task -> new IteratedQ(IteratedQ.Config.DEFAULT.withDiscount(task.discount()))),
          new Entry(
              "average-reward",
              "the reward per decision in the long run, without a discount",
              false,
              task -> new AverageReward(AverageReward.Config.DEFAULT)),
          new Entry(
              "risk-averse",
              "by the worst quarter of what may come, at learned quantiles of returns",
              false,
              List.of(
                  Setting.linear(
                      "share", "share of outcomes, the worst, that counts", 0.25, 0.05, 1),
                  Setting.logarithmic(
                      "inverse-temperature",
                      "how strongly better actions are preferred",
                      2,
                      0.2,
                      10)),
              task ->
                  new RiskAverse(
                      RiskAverse.Config.DEFAULT
                          .withDiscount(task.discount())
                          .withRisk(new Risk.WorstShare(task.setting("share")))
                          .withInverseTemperature(task.setting("inverse-temperature")),
                      task.promises(),
                      MultiplierConfig.DEFAULT.withEvery(25).withMargin(3))),
          new Entry(
              "entropic",
              "by what uncertain returns are worth to a constant aversion to risk",
              false,
              List.of(
                  Setting.logarithmic(
                      "aversion", "per deviation of the signal's rewards", 1, 0.1, 5)),
              task ->
                  new RiskAverse(
                      RiskAverse.Config.DEFAULT
                          .withDiscount(task.discount())
                          .withRisk(new Risk.Entropic(task.setting("aversion"))),
                      task.promises(),
                      MultiplierConfig.DEFAULT.withEvery(25).withMargin(3))),
          new Entry(
              "anti-exploration",
              "soft actor-critic that pays for what is novel, without propensities",
              false,
              List.of(
                  Setting.logarithmic(
                      "penalty", "what the novelty of a usual action costs", 0.5, 0.05, 5)),
              task ->
                  new AntiExploration(
                      AntiExploration.Config.DEFAULT
                          .withDiscount(task.discount())
                          .withPenalty(task.setting("penalty")))),
          new Entry(
              "two-stage",
              "the objective, near policies that are good for each promised signal",
              false,
              List.of(
                  Setting.logarithmic(
                      "sharpness",
                      "temperature of the policies of promised signals, in deviations",
                      0.25,
                      0.05,
                      2),
                  Setting.logarithmic(
                      "smallest-size",
                      "how near the policy stays at least, in deviations",
                      0.17,
                      0.05,
                      1.5)),
              task ->
                  new TwoStageActorCritic(
                      TwoStageActorCritic.Config.DEFAULT
                          .withDiscount(task.discount())
                          .withSharpness(task.setting("sharpness"))
                          .withSmallestSize(task.setting("smallest-size")),
                      task.promises())),
          new Entry(
              "pid",
              "a critic per signal, and prices of promises that a controller sets",
              false,
              List.of(
                  Setting.logarithmic(
                      "temperature",
                      "advantage that is given up to stay near the log, in deviations",
                      0.1,
                      0.03,
                      1),
                  Setting.linear(
                      "reserve", "share by which promises have to be overfulfilled", 0.22, 0, 0.5)),
              task ->
                  new PidActorCritic(
                      PidActorCritic.Config.DEFAULT
                          .withDiscount(task.discount())
                          .withTemperature(task.setting("temperature"))
                          .withReserve(task.setting("reserve")),
                      task.promises(),
                      PidActorCritic.MULTIPLIERS)),
          new Entry(
              "rcpo",
              "one critic of a penalised reward: the baseline beside priced critics",
              false,
              task ->
                  new RewardConstrained(
                      task.discount(), 0.1, task.promises(), RewardConstrained.LIBRARY_GAINS)),
          new Entry(
              "champion-sac",
              "soft actor-critic that leaves the champion by a budget of nats",
              false,
              List.of(
                  Setting.logarithmic(
                      "budget", "nats per decision", ChampionActorCritic.DEFAULT_BUDGET, 0.02, 4)),
              task -> new ChampionActorCritic(task.discount(), task.setting("budget"))),
          new Entry(
              "mixture",
              "mixes the log's policy with those that are good for each signal",
              false,
              task ->
                  new PolicyMixture(
                      PolicyMixture.Config.DEFAULT.withDiscount(task.discount()),
                      task.promises(),
                      PidActorCritic.MULTIPLIERS)),
          new Entry(
              "constrained-actor-critic",
              "weighs logged actions by in-sample advantages, and prices promises",
              false,
              List.of(
                  Setting.logarithmic(
                      "inverse-temperature",
                      "how strongly better actions are preferred",
                      2,
                      0.2,
                      10),
                  Setting.linear(
                      "margin", "standard errors by which promises have to be kept", 3, 0, 6),
                  Setting.linear(
                      "expectile", "above 0.5 it looks for the better actions", 0.5, 0.5, 0.9)),
              task ->
                  new ConstrainedActorCritic(
                      ConstrainedActorCritic.Config.DEFAULT
                          .withDiscount(task.discount())
                          .withObjectiveExpectile(task.setting("expectile"))
                          .withInverseTemperature(task.setting("inverse-temperature")),
                      task.promises(),
                      MultiplierConfig.DEFAULT.withEvery(25).withMargin(task.setting("margin")))));

  private Algorithms() {}

  /** All of them, in the order in which reports show them. */
  public static List<Entry> all() {
    return ALL;
  }

  /**
   * The algorithm of this word.
   *
   * @throws IllegalArgumentException naming all words, if there is none
   */
  public static Entry of(String word) {
    return ALL.stream()
        .filter(entry -> entry.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'%s' is no way to train, expected one of %s"
                        .formatted(
                            word,
                            ALL.stream().map(Entry::word).collect(Collectors.joining(", ")))));
  }
}
