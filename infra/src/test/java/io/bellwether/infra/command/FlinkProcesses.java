package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.infra.local.Installation;
import io.bellwether.infra.local.JvmLimits;
import io.bellwether.infra.platform.KeptPorts;
import io.bellwether.infra.process.ProcessGroup;
import io.bellwether.infra.process.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A Flink session cluster: a JobManager and two TaskManagers, each a process with our class path,
 * on free ports of 127.0.0.1.
 */
final class FlinkProcesses implements AutoCloseable {

  private static final String JOB_MANAGER =
      "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint";
  private static final String TASK_MANAGER =
      "org.apache.flink.runtime.taskexecutor.TaskManagerRunner";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final ProcessGroup group;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();

  private FlinkProcesses(ProcessGroup group, int port) {
    this.group = group;
    this.port = port;
  }

  /** Starts all three and returns at once. */
  static FlinkProcesses start(Path folder) throws Exception {
    KeptPorts ports = KeptPorts.in(folder.resolve("flink-ports.properties"));
    int rest = ports.take("rest");
    Path configuration = Files.createDirectories(folder.resolve("conf"));
    Path temporary = Files.createDirectories(folder.resolve("flink-tmp"));
    Map<String, Object> settings = new TreeMap<>();
    settings.put("jobmanager.rpc.address", "127.0.0.1");
    settings.put("jobmanager.rpc.port", ports.take("rpc"));
    settings.put("jobmanager.bind-host", "127.0.0.1");
    settings.put("rest.address", "127.0.0.1");
    settings.put("rest.bind-address", "127.0.0.1");
    settings.put("rest.port", rest);
    settings.put("rest.bind-port", rest);
    settings.put("taskmanager.host", "127.0.0.1");
    settings.put("taskmanager.bind-host", "127.0.0.1");
    // Both jobs fit into one TaskManager, and are spread over two.
    settings.put("taskmanager.numberOfTaskSlots", 3);
    settings.put("taskmanager.load-balance.mode", "SLOTS");
    settings.put("taskmanager.cpu.cores", 1);
    settings.put("taskmanager.memory.task.heap.size", "256m");
    settings.put("taskmanager.memory.task.off-heap.size", "64m");
    settings.put("taskmanager.memory.network.min", "32m");
    settings.put("taskmanager.memory.network.max", "32m");
    settings.put("taskmanager.memory.managed.size", "16m");
    settings.put("taskmanager.memory.framework.heap.size", "128m");
    settings.put("taskmanager.memory.framework.off-heap.size", "64m");
    settings.put("taskmanager.memory.jvm-metaspace.size", "128m");
    settings.put("taskmanager.memory.jvm-overhead.min", "64m");
    settings.put("taskmanager.memory.jvm-overhead.max", "64m");
    // A dead process is noticed by two messages that do not arrive.
    settings.put("heartbeat.interval", "1 s");
    settings.put("heartbeat.timeout", "30 s");
    settings.put("security.delegation.tokens.enabled", false);
    settings.put("io.tmp.dirs", temporary.toString());
    StringBuilder yaml = new StringBuilder();
    settings.forEach((key, value) -> yaml.append(key).append(": ").append(value).append('\n'));
    Files.writeString(configuration.resolve("config.yaml"), yaml.toString());

    Installation installation =
        new Installation(
            Path.of("..").toRealPath(),
            Path.of(System.getProperty("java.home"), "bin", "java"),
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    FlinkProcesses flink =
        new FlinkProcesses(new ProcessGroup(folder.resolve("flink-logs"), death -> {}), rest);
    String[] from = {"--configDir", configuration.toString()};
    JvmLimits limits = new JvmLimits(512, 256, true);
    flink.launch(installation.javaProgram("jobmanager", limits, JOB_MANAGER, List.of(from)));
    for (String name : List.of("taskmanager-1", "taskmanager-2")) {
      List<String> arguments = List.of(from[0], from[1], "-Dtaskmanager.resource-id=" + name);
      flink.launch(installation.javaProgram(name, limits, TASK_MANAGER, arguments));
    }
    return flink;
  }

  private void launch(Program program) throws Exception {
    group.start(program, () -> true, PATIENCE);
  }

  /** Waits until both TaskManagers are there. */
  void awaitComplete() throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (taskManagers() < 2) {
      if (System.nanoTime() > deadline) {
        List<String> ends = new ArrayList<>();
        group.inOrder().forEach(child -> ends.addAll(child.lastLines(10)));
        throw new AssertionError("Flink's processes do not find each other: " + ends);
      }
      Thread.sleep(100);
    }
  }

  private int taskManagers() throws InterruptedException {
    try {
      return get("/overview").get("taskmanagers").intValue();
    } catch (IOException notYet) {
      return 0;
    }
  }

  /** Where it takes jobs, {@code HOST:PORT}. */
  String address() {
    return "127.0.0.1:" + port;
  }

  /** The id of the job of this name. */
  String job(String name) throws Exception {
    for (JsonNode job : get("/jobs/overview").get("jobs")) {
      if (job.get("name").textValue().equals(name)) {
        return job.get("jid").textValue();
      }
    }
    throw new AssertionError("no job " + name);
  }

  /** The TaskManager that runs the first subtask of a stage, by a part of the stage's name. */
  String taskManagerOf(String job, String stage) throws Exception {
    for (JsonNode vertex : get("/jobs/" + job).get("vertices")) {
      if (vertex.get("name").textValue().contains(stage)) {
        String path = "/jobs/" + job + "/vertices/" + vertex.get("id").textValue();
        return get(path).get("subtasks").get(0).get("taskmanager-id").textValue();
      }
    }
    throw new AssertionError("no stage " + stage);
  }

  /** How often something of this job failed. */
  int failures(String job) throws Exception {
    return get("/jobs/" + job + "/exceptions").get("exceptionHistory").get("entries").size();
  }

  /** How many checkpoints of this job are complete. */
  int checkpoints(String job) throws Exception {
    return get("/jobs/" + job + "/checkpoints").get("counts").get("completed").intValue();
  }

  /** Ends one process by SIGKILL. */
  void kill(String name) {
    group.kill(name);
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address() + path))
            .timeout(Duration.ofSeconds(20))
            .build();
    return new ObjectMapper()
        .readTree(http.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8)).body());
  }

  @Override
  public void close() {
    // Nothing of theirs is kept, and in order they take their time.
    group.inOrder().forEach(child -> child.kill());
    group.close();
  }
}
