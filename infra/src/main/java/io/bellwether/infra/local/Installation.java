package io.bellwether.infra.local;

import io.bellwether.infra.process.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where this Bellwether is installed and how its programs are started: with the Java that runs us,
 * our class path, and a small heap each. Immutable.
 *
 * @param home the folder of the {@code bellwether} script; working folder of all programs
 * @param java the {@code java} executable
 * @param classPath of every program but serving, which brings its own
 */
public record Installation(Path home, Path java, String classPath) {

  /** Below this, the options for native access are unknown to the JVM; from here on it warns. */
  private static final int NATIVE_ACCESS_IS_CHECKED = 24;

  public Installation {
    home = home.toAbsolutePath().normalize();
  }

  /** Of the running JVM; the system property {@code bellwether.home} names the home folder. */
  public static Installation current() {
    return new Installation(
        Path.of(System.getProperty("bellwether.home", "")),
        Path.of(System.getProperty("java.home"), "bin", "java"),
        System.getProperty("java.class.path"));
  }

  /** What the build of serving leaves behind. */
  public Path servingJar() {
    return home.resolve(Path.of("serving", "target", "quarkus-app", "quarkus-run.jar"));
  }

  /** One of our main classes as a program of its own. */
  public Program javaProgram(
      String name, JvmLimits limits, String mainClass, List<String> arguments) {
    List<String> command = jvm(limits);
    command.addAll(List.of("-cp", classPath, mainClass));
    command.addAll(arguments);
    return new Program(name, command, Map.of(), home);
  }

  /** Serving with these settings, given as system properties, and these environment variables. */
  Program servingProgram(
      JvmLimits limits, Map<String, String> settings, Map<String, String> environment) {
    List<String> command = jvm(limits);
    settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-jar", servingJar().toString()));
    return new Program("serving", command, environment, home);
  }

  private List<String> jvm(JvmLimits limits) {
    List<String> options = new ArrayList<>();
    options.add(java.toString());
    options.addAll(limits.options());
    options.add("-XX:+UseSerialGC");
    options.add("-XX:+ExitOnOutOfMemoryError");
    options.add("-Xss512k");
    options.add("-Dfile.encoding=UTF-8");
    options.add("-Djava.awt.headless=true");
    // Avro refuses generated classes of packages that are not named here.
    options.add("-Dorg.apache.avro.SERIALIZABLE_PACKAGES=io.bellwether.ingestion.event");
    if (Runtime.version().feature() >= NATIVE_ACCESS_IS_CHECKED) {
      options.add("--enable-native-access=ALL-UNNAMED");
      options.add("--sun-misc-unsafe-memory-access=allow");
    }
    return options;
  }
}
