package io.bellwether.trainer.network;

/**
 * Actor and critic of one surface: the description that training, export and tests share.
 * Immutable.
 */
public final class PolicyNetworks {
  /**
   * Network numbers of the counter generator, so that actor and critic start from different draws.
   */
  private static final int ACTOR = 0;

  private static final int CRITIC = 1;

  private final NetworkSchema schema;
  private final NetworkConfig config;
  private final Normalisation normalisation;
  private final Actor actor;
  private final Critic critic;
  private final int heads;

  public PolicyNetworks(NetworkSchema schema, NetworkConfig config, Normalisation normalisation) {
    this(schema, config, normalisation, 1);
  }

  /** {@code heads}: outputs of the critic per signal, signal by signal. */
  public PolicyNetworks(
      NetworkSchema schema, NetworkConfig config, Normalisation normalisation, int heads) {
    this.heads = heads;
    this.schema = schema;
    this.config = config;
    this.normalisation = normalisation;
    this.actor = new Actor(schema, config, normalisation);
    this.critic = new Critic(schema, config, normalisation, heads);
  }

  public NetworkSchema schema() {
    return schema;
  }

  public NetworkConfig config() {
    return config;
  }

  public Normalisation normalisation() {
    return normalisation;
  }

  /** Outputs of the critic per signal. */
  public int heads() {
    return heads;
  }

  public Actor actor() {
    return actor;
  }

  public Critic critic() {
    return critic;
  }

  public Parameters initialActor(long seed) {
    return actor.layout().initial(seed, ACTOR);
  }

  /**
   * First weights of a critic whose answers start at {@code meanReturns}, one per output in scaled
   * units.
   */
  public Parameters initialCritic(long seed, float[] meanReturns) {
    return critic
        .layout()
        .initial(seed, CRITIC)
        .with("critic.q.bias", meanReturns)
        .with("critic.v.bias", meanReturns);
  }
}
