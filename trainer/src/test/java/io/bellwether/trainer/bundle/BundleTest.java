package io.bellwether.trainer.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.signature.TrustedKeys;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.GateVerdict;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.policy.version.VersionId;
import io.bellwether.policy.version.Vouched;
import io.bellwether.trainer.data.SyntheticLog;
import io.bellwether.trainer.job.Baseline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleTest {

  @TempDir Path folder;
  private final SyntheticLog log = new SyntheticLog();
  private final SigningKey key = SigningKey.generate();
  private PolicyStore here;
  private PolicyStore there;
  private VersionId version;

  @BeforeEach
  void publish() {
    here = new PolicyStore(folder.resolve("here"), Clock.systemUTC(), move -> {}, key);
    there = new PolicyStore(folder.resolve("there"), Clock.systemUTC());
    version = new Baseline(Clock.systemUTC(), "test").publish(log.surface(), here).id();
    here.attach(version, EvidenceKind.VERDICT, "{\"verdict\":\"pass\"}".getBytes(UTF_8), "gate");
    here.attach(version, EvidenceKind.REWARD_REPORT, "# why\n".getBytes(UTF_8), "ann");
  }

  @Test
  void aVersionArrivesUnderItsIdWithItsSignatureAndWithoutItsVerdict() throws IOException {
    Path file = folder.resolve("version.bwp");
    Files.write(file, zip());
    PolicyVersion arrived = imports().bundle(Bundle.read(file));
    assertEquals(version, arrived.id());
    assertArrayEquals(
        here.file(version, PolicyManifest.GRAPH), there.file(version, PolicyManifest.GRAPH));
    assertTrue(there.vouched(version, TrustedKeys.of(key)) instanceof Vouched.By);
    assertEquals(Optional.<GateVerdict>empty(), there.verdict(version));
    int evidence = there.evidence(version).size();
    assertEquals(2, evidence);
    imports().bundle(Bundle.read(file));
    assertEquals(evidence, there.evidence(version).size());
  }

  @Test
  void theSameVersionGivesTheSameBytes() throws IOException {
    assertArrayEquals(zip(), zip());
    assertEquals(
        List.of(
            "policy.json",
            "model.onnx",
            "MLmodel",
            "requirements.txt",
            "python_env.yaml",
            "conda.yaml",
            "MODEL_CARD.md",
            "REWARD_REPORT.md",
            "attestations/1.dsse.json"),
        Bundle.of(here, version).names());
  }

  @Test
  void aFolderIsReadLikeAFile() throws IOException {
    Path model = folder.resolve("model");
    Bundle.of(here, version).writeFolder(model);
    assertTrue(Files.readString(model.resolve("MLmodel")).contains("loader_module: mlflow.onnx"));
    assertEquals(version, imports().bundle(Bundle.read(model)).id());
    assertThrows(BundleRefused.class, () -> Bundle.of(here, version).writeFolder(model));
  }

  /** Whatever of the version's own bytes is altered: refused, and nothing is published. */
  @Test
  void noAlteredByteArrives() throws IOException {
    Path model = folder.resolve("model");
    Bundle.of(here, version).writeFolder(model);
    for (String name : List.of(PolicyManifest.GRAPH, Bundle.MANIFEST)) {
      Path file = model.resolve(name);
      byte[] intact = Files.readAllBytes(file);
      for (int at = 0; at < intact.length; at += Math.max(1, intact.length / 40)) {
        byte[] altered = intact.clone();
        altered[at] ^= 1;
        Files.write(file, altered);
        try {
          VersionId other = imports().bundle(Bundle.read(model)).id();
          assertFalse(other.equals(version), name + " at " + at);
        } catch (BundleRefused expected) {
          continue;
        }
      }
      Files.write(file, intact);
    }
    Files.delete(model.resolve(PolicyManifest.GRAPH));
    assertThrows(BundleRefused.class, () -> imports().bundle(Bundle.read(model)));
  }

  @Test
  void hostileFilesAreRefused() throws IOException {
    Path file = folder.resolve("hostile.bwp");
    Files.writeString(file, "no zip");
    assertThrows(BundleRefused.class, () -> Bundle.read(file));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("../../outside"));
      zip.write(1);
      zip.closeEntry();
    }
    Files.write(file, out.toByteArray());
    assertThrows(BundleRefused.class, () -> Bundle.read(file));
    byte[] whole = zip();
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    assertThrows(
        IOException.class,
        () -> {
          try {
            imports().bundle(Bundle.read(file));
          } catch (BundleRefused e) {
            throw new IOException(e);
          }
        });
  }

  @Test
  void aPlainGraphSaysWhatItIsAndComesBackAsANewVersion() {
    byte[] graph =
        OnnxMetadata.describe(
            here.file(version, PolicyManifest.GRAPH), version, here.manifest(version));
    try (Scorer scorer = Scorer.open(graph, here.manifest(version).features())) {
      assertEquals(version.value(), scorer.metadata().get("bellwether.version"));
      assertEquals("synthetic", scorer.metadata().get("bellwether.policy"));
    }
    PolicyVersion arrived =
        imports()
            .graph(
                graph,
                log.surface(),
                Optional.of(SyntheticLog.yaml().getBytes(UTF_8)),
                "theirs.onnx");
    PolicyManifest manifest = there.manifest(arrived.id());
    assertEquals("imported", manifest.algorithm());
    assertEquals("unknown: imported from theirs.onnx", manifest.data().source());
    BundleRefused refused =
        assertThrows(
            BundleRefused.class,
            () ->
                imports().graph(new byte[] {1, 2}, log.surface(), Optional.empty(), "theirs.onnx"));
    assertTrue(refused.toString().contains("synthetic"), refused::toString);
  }

  @Test
  void theCardIsKeptOnceWhileNothingIsNew() {
    ModelCard card = new ModelCard(here);
    String text = new String(card.of(version), UTF_8);
    assertTrue(text.startsWith("---\nlicense: other\n"), text);
    assertTrue(text.contains("Verdict of the gate: pass."), text);
    assertTrue(card.keep(version, "ann"));
    assertFalse(card.keep(version, "ann"));
    String report =
        """
        {"verdict": "pass", "estimates": [], "meta": {"primary": "dr", "baseline": "champion"},
         "comparisons": [
           {"signal": "watch", "estimator": "dr", "against": "champion",
            "difference": {"value": 1.5}, "interval": {"lower": 1.25, "upper": 1.75}},
           {"signal": "watch", "estimator": "ips", "difference": {"value": 9}},
           {"signal": "like", "estimator": "dr", "difference": {"value": null}}]}
        """;
    here.attach(version, EvidenceKind.REPORT, report.getBytes(UTF_8), "gate");
    assertTrue(card.keep(version, "ann"));
    String judged = new String(card.of(version), UTF_8);
    assertTrue(judged.contains("| watch | champion | 1.5 | 1.25 to 1.75 |"), judged);
    assertTrue(judged.contains("    - type: 'watch'\n"), judged);
    assertFalse(judged.contains("| like |"), judged);
  }

  private BundleImport imports() {
    return new BundleImport(there, Clock.systemUTC(), "bob");
  }

  private byte[] zip() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Bundle.of(here, version).writeZip(out);
    return out.toByteArray();
  }
}
