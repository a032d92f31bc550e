package io.bellwether.serving.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Device;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.signature.TrustedKeys;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.TrainingData;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.LinearPolicy;
import io.bellwether.serving.TestPlatform;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionOpenerTest {

  private static final String INT8 =
      "graph: { form: int8, changed-slates: 0.05, propensity-difference: 0.05 }\n";

  private final FeatureSchema schema = TestPlatform.schema();
  private final SigningKey key = SigningKey.generate();

  @TempDir private Path folder;
  private PolicyStore store;
  private Surfaces surfaces;
  private RecentRequests recent;

  @BeforeEach
  void publishIntoAStore() throws Exception {
    store = new PolicyStore(folder, Clock.systemUTC());
    surfaces =
        new Surfaces(
            List.of(
                new SurfaceReader()
                    .parse("feed", (Fixtures.FEED + INT8).getBytes(StandardCharsets.UTF_8))));
    recent = new RecentRequests(surfaces);
  }

  @Test
  void whereSignaturesAreRequiredAVersionNeedsOneByATrustedKey() {
    VersionId version = publish("feed", 1);
    SignatureCheck required = new SignatureCheck(TrustedKeys.of(key), true);
    assertRefused("not signed", required, version);
    store.sign(version, SigningKey.generate(), "a stranger");
    assertRefused("by a trusted key", required, version);
    store.sign(version, key, "we");
    assertEquals("key " + key.id(), open(required, Device.CPU, version).vouchedBy());
  }

  @Test
  void whereTheyAreOptionalAnUnsignedVersionServesAndATamperedOneStillDoesNot() {
    SignatureCheck optional = new SignatureCheck(TrustedKeys.of(key), false);
    VersionId version = publish("feed", 1);
    assertEquals("nobody", open(optional, Device.CPU, version).vouchedBy());
    VersionId signed = publish("feed", 2);
    store.sign(signed, key, "we");
    byte[] signature = store.content(store.evidence(signed).get(0));
    store.attach(version, EvidenceKind.SIGNATURE, signature, "mallory");
    assertRefused("about another version", optional, version);
  }

  @Test
  void signaturesCannotBeRequiredOfNobody() {
    assertThrows(
        IllegalArgumentException.class, () -> new SignatureCheck(TrustedKeys.none(), true));
    assertThrows(
        RuntimeException.class,
        () ->
            new SignatureCheck(
                Fixtures.config(
                    Map.of("bellwether.policy-keys", folder.resolve("absent").toString()))));
    key.writePublic(folder.resolve("keys/ours.pem"));
    SignatureCheck byDefault =
        new SignatureCheck(
            Fixtures.config(Map.of("bellwether.policy-keys", folder.resolve("keys").toString())));
    assertRefused("REQUIRED", byDefault, publish("feed", 1));
  }

  @Test
  void aVersionOfAnotherPolicyIsRefused() {
    assertRefused("a version of other", anybody(), publish("other", 1));
  }

  @Test
  void theInt8FormServesWhereTrainingMeasuredThatItDecidesAlike() {
    VersionOpener.Facts facts = open(anybody(), Device.CPU, publish("feed", 1, 0.01, 0.01, 1));
    assertEquals("int8", facts.form());
    assertEquals("", facts.formNote());
  }

  @Test
  void thePrunedFormServesWhereTheSurfaceAsksForThat() throws Exception {
    VersionId version =
        publish(
            "feed",
            Map.of("pruned.changedSlates", 0.01, "pruned.propensityDifference", 0.01),
            Map.of(PolicyManifest.GRAPH, graph(1), PolicyManifest.PRUNED_GRAPH, graph(1)));
    assertFull("no int8 form", version);
    surfaces =
        new Surfaces(
            List.of(
                new SurfaceReader()
                    .parse(
                        "feed",
                        (Fixtures.FEED + "graph: { form: pruned }\n")
                            .getBytes(StandardCharsets.UTF_8))));
    assertEquals("pruned", open(anybody(), Device.CPU, version).form());
    assertFull("no pruned form", publish("feed", 1, 0.01, 0.01, 1));
  }

  @Test
  void theFullOneServesWhereTheInt8FormIsMissingUnmeasuredOrTooDifferent() {
    assertFull("no int8 form", publish("feed", 1));
    assertFull("not measured", publish("feed", 1, Double.NaN, 0.01, 1));
    assertFull("in training", publish("feed", 1, 0.06, 0.01, 1));
    assertFull("in training", publish("feed", 1, 0.01, 0.06, 1));
  }

  @Test
  void theFullOneServesWhereTheLatestRequestsShowADifferenceThatTrainingDidNot() {
    float[] items = new float[20 * schema.itemWidth()];
    for (int item = 0; item < 20; item++) {
      items[item * schema.itemWidth()] = item;
    }
    DeclaredSurface feed = surfaces.require("feed");
    recent.offer(
        feed,
        new float[schema.contextWidth()],
        new float[schema.historySize()],
        20,
        (candidate, target, offset) ->
            System.arraycopy(
                items, candidate * schema.itemWidth(), target, offset, schema.itemWidth()));
    assertFull("latest requests", publish("feed", 1, 0.01, 0.01, -1));
    assertEquals("int8", open(anybody(), Device.CPU, publish("feed", 1, 0.01, 0.01, 1)).form());
  }

  @Test
  void whereTheGpuIsMissingTheProcessorAnswersAndTheAlarmIsUp() {
    assumeFalse(Files.exists(Path.of("/dev/nvidiactl")), "there is a GPU");
    VersionId version = publish("feed", 1);
    VersionOpener.Facts onCpu = open(anybody(), Device.CPU, version);
    assertFalse(onCpu.strayed());
    assertTrue(onCpu.placement().toString().startsWith("CPUExecutionProvider"));
    VersionOpener.Facts strayed = open(anybody(), Device.CUDA, version);
    assertTrue(strayed.strayed());
    assertTrue(strayed.deviceNote().startsWith("it cannot run on CUDA"), strayed::deviceNote);
    OpenVersion view = OpenVersion.of(strayed);
    assertEquals("CUDA", view.device());
    assertEquals(strayed.deviceNote(), view.alarm());
  }

  @Test
  void byDefaultGraphsRunOnTheGpuWhereThereIsOne() {
    assumeFalse(Files.exists(Path.of("/dev/nvidiactl")), "there is a GPU");
    assertEquals(Device.CPU, new GraphDevice(Fixtures.config(Map.of())).wanted());
    assertEquals(
        Device.CUDA,
        new GraphDevice(Fixtures.config(Map.of("bellwether.device", "cuda"))).wanted());
  }

  private static SignatureCheck anybody() {
    return new SignatureCheck(TrustedKeys.none(), false);
  }

  private void assertRefused(String reason, SignatureCheck signatures, VersionId version) {
    VersionRefusedException refused =
        assertThrows(VersionRefusedException.class, () -> open(signatures, Device.CPU, version));
    assertTrue(String.valueOf(refused.getMessage()).contains(reason), refused::getMessage);
  }

  private void assertFull(String note, VersionId version) {
    VersionOpener.Facts facts = open(anybody(), Device.CPU, version);
    assertEquals("full", facts.form());
    assertTrue(facts.formNote().contains(note), facts::formNote);
  }

  private VersionOpener.Facts open(SignatureCheck signatures, Device device, VersionId version) {
    VersionOpener.Opened opened =
        new VersionOpener(store, signatures, new GraphDevice(device), recent, new WarmUp(() -> 0))
            .open(surfaces.require("feed"), version);
    opened.scorer().close();
    return opened.facts();
  }

  private VersionId publish(String name, float weight) {
    return publish(name, weight, Double.NaN, Double.NaN, Float.NaN);
  }

  /**
   * @param changed as training measured it, as is {@code difference}; not a number: not measured
   * @param int8 the first weight of the int8 form; not a number: there is none
   */
  private VersionId publish(
      String name, float weight, double changed, double difference, float int8) {
    Map<String, Double> metrics =
        Double.isNaN(changed)
            ? Map.of()
            : Map.of("int8.changedSlates", changed, "int8.propensityDifference", difference);
    return publish(
        name,
        metrics,
        Float.isNaN(int8)
            ? Map.of(PolicyManifest.GRAPH, graph(weight))
            : Map.of(PolicyManifest.GRAPH, graph(weight), PolicyManifest.INT8_GRAPH, graph(int8)));
  }

  private VersionId publish(String name, Map<String, Double> metrics, Map<String, byte[]> files) {
    PolicyManifest manifest =
        new PolicyManifest(
            name,
            PolicyManifest.ONNX,
            "test",
            Instant.EPOCH,
            "5eed",
            schema,
            "linear",
            1,
            new TrainingData("none", Instant.EPOCH, Instant.EPOCH, 0, "da7a"),
            "0",
            null,
            null,
            metrics,
            List.of());
    return store.publish(manifest, files).id();
  }

  private byte[] graph(float weight) {
    float[] weights = new float[schema.itemWidth()];
    weights[0] = weight;
    return LinearPolicy.graph(schema, weights);
  }
}
