package io.bellwether.infra.command;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a measurement ran on, in words. */
final class Machine {
  private Machine() {}

  /** Cores and versions. */
  static Map<String, String> described() throws IOException {
    Map<String, String> all = new Versions().all();
    Map<String, String> machine = new LinkedHashMap<>();
    machine.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    for (String name : new String[] {"bellwether", "java", "os"}) {
      machine.put(name, all.getOrDefault(name, "unknown"));
    }
    return machine;
  }
}
