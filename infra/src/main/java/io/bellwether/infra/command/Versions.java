package io.bellwether.infra.command;

import ai.onnxruntime.OrtEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.kafka.common.utils.AppInfoParser;
import picocli.CommandLine.IVersionProvider;

/** Versions of this Bellwether and of what it stands on. */
final class Versions implements IVersionProvider {
  private static final String MAVEN_PROPERTIES =
      "/META-INF/maven/io.bellwether/infra/pom.properties";

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {"bellwether " + bellwether()};
  }

  /** By name, in reading order; loads ONNX Runtime's native library. */
  Map<String, String> all() throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("bellwether", bellwether());
    all.put("java", System.getProperty("java.runtime.version", "unknown"));
    all.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    all.put("kafka", AppInfoParser.getVersion());
    all.put("flink", EnvironmentInformation.getVersion());
    all.put("onnxruntime", OrtEnvironment.getEnvironment().getVersion());
    return all;
  }

  private static String bellwether() throws IOException {
    Properties maven = new Properties();
    try (InputStream file = Versions.class.getResourceAsStream(MAVEN_PROPERTIES)) {
      if (file != null) {
        maven.load(file);
      }
    }
    // Classes that are not in a jar yet have no version.
    return maven.getProperty("version", "unpackaged");
  }
}
