package io.bellwether.trainer.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.VersionId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files that make a folder an MLflow model of the flavour {@code onnx}, which {@code
 * mlflow.onnx.load_model} and {@code mlflow.pyfunc.load_model} open.
 *
 * @see <a href="https://mlflow.org/docs/latest/ml/model/">MLflow models</a>
 */
record MlflowModel(VersionId version, PolicyManifest manifest) {

  /** The file by which MLflow knows a model. */
  static final String FILE = "MLmodel";

  /** The release whose format this is. */
  private static final String MLFLOW = "2.17.2";

  private static final String ONNX = "1.17.0";
  private static final String RUNTIME = "1.26.0";
  private static final String PYTHON = "3.11";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** MLflow writes no zone. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

  Map<String, byte[]> files() {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put(FILE, model().getBytes(UTF_8));
    files.put("requirements.txt", requirements("").getBytes(UTF_8));
    files.put(
        "python_env.yaml",
        "python: \"%s\"\nbuild_dependencies: []\ndependencies:\n- -r requirements.txt\n"
            .formatted(PYTHON)
            .getBytes(UTF_8));
    files.put(
        "conda.yaml",
        "name: mlflow-env\nchannels:\n- conda-forge\ndependencies:\n- python=%s\n- pip\n- pip:\n%s"
            .formatted(PYTHON, requirements("  - "))
            .getBytes(UTF_8));
    return files;
  }

  private static String requirements(String before) {
    return "%smlflow>=%s\n%sonnx>=%s\n%sonnxruntime>=%s\n"
        .formatted(before, MLFLOW, before, ONNX, before, "1.17.0");
  }

  private String model() {
    String graph = PolicyManifest.GRAPH;
    StringBuilder yaml = new StringBuilder();
    yaml.append("artifact_path: model\n");
    yaml.append("flavors:\n");
    yaml.append("  onnx:\n");
    yaml.append("    code: null\n");
    yaml.append("    data: ").append(graph).append('\n');
    yaml.append("    onnx_session_options: null\n");
    yaml.append("    onnx_version: ").append(ONNX).append('\n');
    yaml.append("    providers:\n    - CPUExecutionProvider\n");
    yaml.append("  python_function:\n");
    yaml.append("    data: ").append(graph).append('\n');
    yaml.append("    env:\n      conda: conda.yaml\n      virtualenv: python_env.yaml\n");
    yaml.append("    loader_module: mlflow.onnx\n");
    yaml.append("    python_version: '").append(PYTHON).append("'\n");
    yaml.append("metadata:\n");
    yaml.append("  bellwether_version: ").append(version).append('\n');
    yaml.append("  bellwether_policy: ").append(quoted(manifest.name())).append('\n');
    yaml.append("  onnxruntime: ").append(RUNTIME).append('\n');
    yaml.append("mlflow_version: ").append(MLFLOW).append('\n');
    yaml.append("model_size_bytes: ").append(size()).append('\n');
    yaml.append("model_uuid: ").append(uuid()).append('\n');
    yaml.append("signature:\n");
    yaml.append("  inputs: ").append(quoted(inputs())).append('\n');
    yaml.append("  outputs: ").append(quoted(outputs())).append('\n');
    yaml.append("  params: null\n");
    yaml.append("utc_time_created: '").append(TIME.format(manifest.createdAt())).append("'\n");
    return yaml.toString();
  }

  private long size() {
    return manifest.files().stream()
        .filter(file -> file.path().equals(PolicyManifest.GRAPH))
        .mapToLong(PolicyFile::size)
        .sum();
  }

  /** Of the graph, as a name of 32 digits that stays the same. */
  private String uuid() {
    return manifest.files().stream()
        .filter(file -> file.path().equals(PolicyManifest.GRAPH))
        .findFirst()
        .orElseThrow()
        .sha256()
        .substring(0, 32);
  }

  private String inputs() {
    FeatureSchema schema = manifest.features();
    ArrayNode inputs = JSON.createArrayNode();
    tensor(inputs, "context", "float32", -1, schema.contextWidth());
    if (schema.hasHistory()) {
      tensor(inputs, "history", "float32", -1, schema.historyLength(), schema.historyWidth());
    }
    tensor(inputs, "items", "float32", -1, schema.itemWidth());
    tensor(inputs, "request", "int64", -1);
    return inputs.toString();
  }

  private String outputs() {
    ArrayNode outputs = JSON.createArrayNode();
    tensor(outputs, "logits", "float32", -1);
    int signals = manifest.features().signals().size();
    if (signals > 0) {
      tensor(outputs, "values", "float32", -1, signals);
    }
    return outputs.toString();
  }

  private static void tensor(ArrayNode list, String name, String type, int... shape) {
    ObjectNode tensor = list.addObject().put("name", name).put("type", "tensor");
    ObjectNode spec = tensor.putObject("tensor-spec").put("dtype", type);
    ArrayNode dimensions = spec.putArray("shape");
    for (int dimension : shape) {
      dimensions.add(dimension);
    }
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
