package io.bellwether.policy.object;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A depot as a process sees it that is killed at some step: a call to it is not done, or is done
 * and never answered, and no other call is done after it.
 */
final class MortalDepot implements Depot {

  private final Depot depot;
  private final BooleanSupplier killed;
  private boolean dead;
  private int steps;

  /** What ends a process; an error, so that nobody carries on. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /**
   * @param killed asked twice for each call, before it and after it
   */
  MortalDepot(Depot depot, BooleanSupplier killed) {
    this.depot = depot;
    this.killed = killed;
  }

  /** How many steps were survived. */
  int steps() {
    return steps;
  }

  private <T> T step(Supplier<T> call) {
    live();
    T answer = call.get();
    live();
    return answer;
  }

  private void live() {
    dead = dead || killed.getAsBoolean();
    if (dead) {
      throw new Killed();
    }
    steps++;
  }

  @Override
  public Optional<byte[]> read(String name) {
    return step(() -> depot.read(name));
  }

  @Override
  public Optional<Stored> find(String name) {
    return step(() -> depot.find(name));
  }

  @Override
  public boolean create(String name, byte[] bytes) {
    return step(() -> depot.create(name, bytes));
  }

  @Override
  public void put(String name, byte[] bytes) {
    step(
        () -> {
          depot.put(name, bytes);
          return true;
        });
  }

  @Override
  public void delete(String name) {
    step(
        () -> {
          depot.delete(name);
          return true;
        });
  }

  @Override
  public List<Stored> list(String folder) {
    return step(() -> depot.list(folder));
  }

  @Override
  public List<String> folders() {
    return step(depot::folders);
  }

  @Override
  public List<String> folders(String folder) {
    return step(() -> depot.folders(folder));
  }
}
