package io.bellwether.infra.command;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What {@code doctor} found about one thing: immutable.
 *
 * @param name of the thing
 * @param state {@code ok}; {@code warning}: it runs, but not well; {@code no}: it cannot run so
 * @param found what is there
 * @param next what to do; empty when nothing
 */
record Finding(
    @JsonProperty String name,
    @JsonProperty String state,
    @JsonProperty String found,
    @JsonProperty String next) {

  /** About something without which nothing runs. */
  static Finding must(boolean right, String name, String found, String next) {
    return new Finding(name, right ? "ok" : "no", found, right ? "" : next);
  }

  /** About something without which it runs badly. */
  static Finding should(boolean right, String name, String found, String next) {
    return new Finding(name, right ? "ok" : "warning", found, right ? "" : next);
  }

  boolean mustChange() {
    return state.equals("no");
  }

  String line() {
    String line = String.format("%-8s %-13s %s", state.equals("no") ? "NO" : state, name, found);
    return next.isEmpty() ? line : line + "\n" + " ".repeat(23) + next;
  }
}
