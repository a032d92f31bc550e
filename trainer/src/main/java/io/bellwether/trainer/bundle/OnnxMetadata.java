package io.bellwether.trainer.bundle;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import com.google.protobuf.InvalidProtocolBufferException;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.VersionId;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A graph that says by itself which policy it is, for where it travels without its manifest. The
 * nodes and weights stay as they are; only properties are added. Stateless.
 */
public final class OnnxMetadata {

  private OnnxMetadata() {}

  /**
   * The graph with the version's properties.
   *
   * @throws IllegalArgumentException where the bytes are no graph
   */
  public static byte[] describe(byte[] graph, VersionId version, PolicyManifest manifest) {
    ModelProto model;
    try {
      model = ModelProto.parseFrom(graph);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("the graph of " + version + " is none", e);
    }
    SortedMap<String, String> properties = new TreeMap<>();
    for (StringStringEntryProto each : model.getMetadataPropsList()) {
      properties.put(each.getKey(), each.getValue());
    }
    properties.putAll(properties(version, manifest));
    ModelProto.Builder described =
        model.toBuilder()
            .clearMetadataProps()
            .setProducerName("bellwether")
            .setProducerVersion(manifest.codeVersion())
            .setDomain("io.bellwether");
    properties.forEach(
        (key, value) ->
            described.addMetadataProps(
                StringStringEntryProto.newBuilder().setKey(key).setValue(value)));
    return described.build().toByteArray();
  }

  private static Map<String, String> properties(VersionId version, PolicyManifest manifest) {
    SortedMap<String, String> properties = new TreeMap<>();
    properties.put("bellwether.policy", manifest.name());
    properties.put("bellwether.version", version.value());
    properties.put("bellwether.feature_schema_sha256", manifest.features().digest());
    properties.put("bellwether.action_space", "slate: one logit per candidate, ragged by request");
    properties.put("bellwether.trained_at", manifest.createdAt().toString());
    Exploration exploration = manifest.exploration();
    if (exploration != null) {
      properties.put("bellwether.min_propensity", Double.toString(exploration.minPropensity()));
    }
    properties.put("model_author", manifest.createdBy());
    return properties;
  }
}
