package io.bellwether.trainer.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.surface.Constraint;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.GateVerdict;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.recipe.Recipe;
import io.bellwether.trainer.report.KeptReports;
import io.bellwether.trainer.report.VersionHistory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The model card of a version: what it is, what it was trained on, and what is known of it, as
 * Markdown with a YAML head. What only people know is left to the Reward Report, to which it
 * points.
 *
 * <p>Source: Mitchell et al., "Model Cards for Model Reporting", 2019; the head is that of the
 * Hugging Face Hub.
 *
 * @param store that has the version
 */
public record ModelCard(PolicyStore store) {

  /** What is known of a version now, UTF-8. */
  public byte[] of(VersionId version) {
    PolicyManifest manifest = store.manifest(version);
    Optional<Recipe> recipe = Recipe.of(store, version);
    Optional<Surface> surface = surface(version, manifest);
    StringBuilder card = new StringBuilder();
    head(card, version, manifest);
    card.append("# ").append(manifest.name()).append(' ').append(version).append("\n\n");
    details(card, version, manifest, recipe);
    intendedUse(card, manifest, surface);
    factors(card, surface);
    metrics(card, surface);
    evaluationData(card, version);
    trainingData(card, manifest, recipe);
    quantities(card, version, manifest);
    section(card, "Ethical considerations");
    line(
        card,
        "What people have to judge (purpose, who is affected, failure modes, recourse) stands in"
            + " the Reward Report of this version, REWARD_REPORT.md where one was written.");
    section(card, "Caveats and recommendations");
    line(
        card,
        "It answers with one logit per candidate. What is shown is drawn from these by the"
            + " surface's exploration; taking the largest instead gives up the propensities.");
    line(
        card,
        "It was trained for features of the layout %s; inputs of another layout are refused by"
                .formatted(manifest.features().digest())
            + " Bellwether, and by nobody else.");
    return card.toString().getBytes(UTF_8);
  }

  /** Keeps it as evidence, unless the latest one says the same; whether it was kept. */
  public boolean keep(VersionId version, String who) {
    byte[] card = of(version);
    boolean same =
        store.evidence(version).stream()
            .filter(each -> each.kind() == EvidenceKind.MODEL_CARD)
            .reduce((earlier, later) -> later)
            .filter(kept -> Arrays.equals(store.content(kept), card))
            .isPresent();
    if (!same) {
      store.attach(version, EvidenceKind.MODEL_CARD, card, who);
    }
    return !same;
  }

  private Optional<Surface> surface(VersionId version, PolicyManifest manifest) {
    if (!manifest.hasFile(Recipe.SURFACE)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new SurfaceReader().parse(Recipe.SURFACE, store.file(version, Recipe.SURFACE)));
    } catch (InvalidSurfaceException e) {
      // A later release may have other rules; the card does without.
      return Optional.empty();
    }
  }

  private void head(StringBuilder card, VersionId version, PolicyManifest manifest) {
    card.append("---\n");
    card.append("license: other\n");
    card.append("library_name: onnx\n");
    card.append("tags:\n- recommendation\n- contextual-bandit\n- reinforcement-learning\n- onnx\n");
    card.append("datasets:\n- ").append(quoted("sha256:" + manifest.data().digest())).append('\n');
    List<JsonNode> compared = comparisons(version);
    if (!compared.isEmpty()) {
      card.append("metrics:\n");
      compared.forEach(
          each -> card.append("- ").append(quoted(each.path("signal").asText())).append('\n'));
      index(card, version, manifest, compared);
    }
    card.append("---\n\n");
  }

  private static void index(
      StringBuilder card, VersionId version, PolicyManifest manifest, List<JsonNode> compared) {
    card.append("model-index:\n- name: ")
        .append(quoted(manifest.name() + " " + version))
        .append("\n  results:\n  - task:\n      type: reinforcement-learning\n")
        .append("    dataset:\n      name: logged decisions\n      type: ")
        .append(quoted(manifest.name()))
        .append("\n    metrics:\n");
    for (JsonNode each : compared) {
      card.append("    - type: ")
          .append(quoted(each.path("signal").asText()))
          .append("\n      name: difference per decision\n      value: ")
          .append(each.path("difference").path("value").doubleValue())
          .append('\n');
    }
  }

  /**
   * Differences to the baseline in the latest report, by its deciding estimator, that are known.
   */
  private List<JsonNode> comparisons(VersionId version) {
    List<JsonNode> compared = new ArrayList<>();
    new KeptReports(store)
        .latest(version)
        .map(kept -> kept.report().root())
        .ifPresent(
            report -> {
              String primary = report.path("meta").path("primary").asText();
              for (JsonNode each : report.path("comparisons")) {
                if (each.path("estimator").asText().equals(primary)
                    && each.path("difference").path("value").isNumber()) {
                  compared.add(each);
                }
              }
            });
    return compared;
  }

  private void details(
      StringBuilder card, VersionId version, PolicyManifest manifest, Optional<Recipe> recipe) {
    section(card, "Model details");
    line(card, "Version: " + version + " of policy " + manifest.name());
    line(card, "Created: %s by %s".formatted(manifest.createdAt(), manifest.createdBy()));
    line(card, "Algorithm: %s, seed %d".formatted(manifest.algorithm(), manifest.seed()));
    recipe.ifPresent(
        told ->
            line(
                card,
                "Settings: %s epochs in batches of %d rows, %s of the people held out"
                    .formatted(told.epochs(), told.batchSize(), told.heldOutShare())));
    line(
        card,
        "Code: %s%s"
            .formatted(
                manifest.codeVersion(),
                recipe.map(told -> ", sha256 " + told.codeSha256()).orElse("")));
    line(card, "Parent: " + (manifest.parent() == null ? "none" : manifest.parent()));
    manifest
        .files()
        .forEach(
            file ->
                line(
                    card,
                    "File: %s, %d bytes, sha256 %s"
                        .formatted(file.path(), file.size(), file.sha256())));
  }

  private static void intendedUse(
      StringBuilder card, PolicyManifest manifest, Optional<Surface> surface) {
    section(card, "Intended use");
    line(
        card,
        "To order candidates on the surface %s, as its file with sha256 %s declares it."
            .formatted(manifest.name(), manifest.surfaceDigest()));
    surface.ifPresent(
        declared ->
            line(
                card,
                "Slates of %d from at most %d candidates."
                    .formatted(declared.slateSize(), declared.maxCandidates())));
  }

  private static void factors(StringBuilder card, Optional<Surface> surface) {
    section(card, "Factors");
    if (surface.isEmpty()) {
      line(card, "The surface's file is not kept with this version.");
      return;
    }
    line(card, "Of the person and the moment: " + names(surface.get().context()) + ".");
    line(card, "Of an item: " + names(surface.get().item()) + ".");
    line(
        card,
        surface.get().history().last() == 0
            ? "No history."
            : "History: the last %d decisions with %s."
                .formatted(
                    surface.get().history().last(),
                    String.join(", ", surface.get().history().signals())));
  }

  private static String names(List<Feature> features) {
    return features.isEmpty()
        ? "nothing"
        : String.join(", ", features.stream().map(Feature::name).toList());
  }

  private static void metrics(StringBuilder card, Optional<Surface> surface) {
    section(card, "Metrics");
    surface.ifPresent(
        declared -> {
          line(
              card,
              "Objective: most %s, discount %s."
                  .formatted(declared.objective().signal(), declared.objective().discount()));
          declared.constraints().stream()
              .map(Constraint::words)
              .forEach(words -> line(card, "Promise: " + words + "."));
        });
    line(
        card,
        "Judged off-policy, from logged propensities, with confidence bounds; then live, in"
            + " experiments.");
  }

  private void evaluationData(StringBuilder card, VersionId version) {
    section(card, "Evaluation data");
    Optional<KeptReports.Kept> report = new KeptReports(store).latest(version);
    if (report.isEmpty()) {
      line(card, "It was not evaluated.");
      return;
    }
    line(
        card,
        "Latest report: %s, against %s, sha256 %s."
            .formatted(
                report.get().evidence().at(),
                report.get().report().baseline(),
                report.get().evidence().content().sha256()));
  }

  private static void trainingData(
      StringBuilder card, PolicyManifest manifest, Optional<Recipe> recipe) {
    section(card, "Training data");
    line(card, manifest.data().source());
    if (manifest.data().rows() > 0) {
      line(
          card,
          "%d decisions from %s to %s, rows with sha256 %s."
              .formatted(
                  manifest.data().rows(),
                  manifest.data().from(),
                  manifest.data().to(),
                  manifest.data().digest()));
    }
    recipe.ifPresent(
        told -> line(card, told.files().size() + " files, listed in " + Recipe.FILE + "."));
  }

  private void quantities(StringBuilder card, VersionId version, PolicyManifest manifest) {
    section(card, "Quantitative analyses");
    line(
        card,
        "Verdict of the gate: "
            + store.verdict(version).map(GateVerdict::word).orElse("none yet")
            + ".");
    List<JsonNode> compared = comparisons(version);
    if (!compared.isEmpty()) {
      card.append(
          "\n| signal | against | difference per decision | interval |\n|---|---|---|---|\n");
      for (JsonNode each : compared) {
        card.append(
            "| %s | %s | %s | %s to %s |\n"
                .formatted(
                    each.path("signal").asText(),
                    each.path("against").asText("the baseline"),
                    each.path("difference").path("value").asText(),
                    each.path("interval").path("lower").asText("?"),
                    each.path("interval").path("upper").asText("?")));
      }
      card.append('\n');
    }
    new VersionHistory(store)
        .overrides(version)
        .forEach(override -> line(card, "Override: " + override));
    if (!manifest.metrics().isEmpty()) {
      card.append("\n| training metric | value |\n|---|---|\n");
      for (Map.Entry<String, Double> metric : manifest.metrics().entrySet()) {
        card.append("| ")
            .append(metric.getKey())
            .append(" | ")
            .append(metric.getValue())
            .append(" |\n");
      }
    }
  }

  private static void section(StringBuilder card, String title) {
    if (card.charAt(card.length() - 2) != '\n') {
      card.append('\n');
    }
    card.append("## ").append(title).append("\n\n");
  }

  private static void line(StringBuilder card, String text) {
    card.append("- ").append(text).append('\n');
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
