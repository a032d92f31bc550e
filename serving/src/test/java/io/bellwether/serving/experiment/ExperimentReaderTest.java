package io.bellwether.serving.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.pseudonym.Pseudonyms;
import io.bellwether.serving.pseudonym.PseudonymsFixture;
import io.bellwether.serving.surface.Surfaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExperimentReaderTest {

  private static final String WHOLE =
      """
      {'name':'whole','surface':'feed','kind':'AB','hypothesis':'Fresh first is better.',
       'owner':'anna','layer':'home','slice':{'from':1000,'to':9000},'salt':'seed.2','unit':'REQUEST',
       'variants':[{'name':'a','weight':2000,'policy':'as-given'},
                   {'name':'b','weight':3000,'policy':'uniform'},
                   {'name':'c','weight':5000,'policy':'v0123456789ab'}],
       'targeting':[{'attribute':'country','in':['fi','se']},{'attribute':'hour','atLeast':8,
                     'atMost':20},{'attribute':'subject','notIn':['bot']},
                    {'attribute':'taste','exists':true}],
       'primary':[{'name':'minutes','signal':'watch_seconds','kind':'MEAN','covariate':true}],
       'secondary':['like',{'signal':'watch_seconds','kind':'QUANTILE','quantile':0.9},
                    {'name':'r','signal':'watch_seconds','kind':'RATIO','denominator':'like',
                     'winsorize':0.999,'direction':'DOWN'}],
       'guardrails':[{'name':'some','signal':'like','kind':'CONVERSION',
                      'margin':{'kind':'ABSOLUTE','value':0.01}}],
       'health':{'degradedShare':0.1,'decisionP99':'PT0.2S','exposures':50},
       'plan':[{'share':0,'unitsPerVariant':7},{'share':100,'atLeast':'PT2H','unitsPerVariant':500,
                'onPass':'MANUAL','onFail':'HOLD'},{'share':10000}],
       'analysis':{'method':'GROUP_SEQUENTIAL','alpha':0.1,'plannedUnits':5000,'looks':4,
                   'minimumEffect':0.02,'preperiod':'P14D'},
       'overrides':{'tester':'b','ä/1':'c'},
       'startAt':'2026-12-01T00:00:00Z','endAt':'2026-12-15T00:00:00Z','override':'we know it'}
      """;

  @TempDir Path folder;

  @Test
  void fourThingsAreEnough() {
    Lab lab = new Lab(folder);
    Experiment experiment =
        new ExperimentReader(lab.surfaces)
            .read(
                Lab.bytes(
                    "{'name':'feed-2','surface':'feed','variants':[{'name':'control'},"
                        + "{'name':'treatment','policy':'challenger'}],'plan':'default'}"))
            .experiment();
    assertEquals(Kind.AB, experiment.kind());
    assertEquals(UnitKind.SUBJECT, experiment.unit());
    assertEquals("feed", experiment.layer());
    assertEquals("feed-2", experiment.salt());
    assertEquals(Slice.WHOLE, experiment.slice());
    assertEquals(new Variant("control", 5000, new Arm.Policy("champion")), experiment.control());
    assertEquals(
        List.of(0, 100, 500, 1000, 2500, 5000, 10_000),
        experiment.plan().stream().map(Step::share).toList());
    assertEquals(
        List.of(
            Duration.ofHours(1),
            Duration.ofHours(2),
            Duration.ofHours(24),
            Duration.ofHours(24),
            Duration.ofHours(48),
            Duration.ofDays(7),
            Duration.ZERO),
        experiment.plan().stream().map(Step::atLeast).toList());
    MetricDeclaration primary = experiment.primary().get(0);
    assertEquals("watch_seconds", primary.signal());
    assertEquals(MetricDeclaration.Kind.PER_DECISION, primary.kind());
    assertEquals(
        Map.of(
            "like-at-least",
            new MetricDeclaration.Margin(MetricDeclaration.Margin.Kind.RELATIVE, 0.05),
            "watch_seconds-at-most",
            new MetricDeclaration.Margin(MetricDeclaration.Margin.Kind.BOUND, 900)),
        Map.of(
            experiment.guardrails().get(0).name(),
            experiment.guardrails().get(0).margin().orElseThrow(),
            experiment.guardrails().get(1).name(),
            experiment.guardrails().get(1).margin().orElseThrow()));
    assertEquals(0.05, experiment.analysis().alpha());
  }

  @Test
  void everythingCanBeDeclared() {
    ExperimentReader.Draft draft = read(WHOLE);
    assertEquals(List.of(), draft.fields().violations());
    Experiment experiment = draft.experiment();
    assertEquals(new Slice(1000, 9000), experiment.slice());
    assertEquals(UnitKind.REQUEST, experiment.unit());
    assertEquals(5, experiment.targeting().size());
    assertEquals(
        List.of("like", "watch_seconds-quantile", "r"),
        experiment.secondary().stream().map(MetricDeclaration::name).toList());
    assertEquals(
        new Step(100, Duration.ofHours(2), 500, Step.OnPass.MANUAL, Step.OnFail.HOLD),
        experiment.plan().get(1));
    assertEquals(
        new Analysis(Analysis.Method.GROUP_SEQUENTIAL, 0.1, 5000, 4, 0.02, Duration.ofDays(14)),
        experiment.analysis());
    assertEquals(Map.of("tester", "b", "ä/1", "c"), experiment.overrides());
    assertEquals(Optional.of(Instant.parse("2026-12-15T00:00:00Z")), experiment.endAt());
  }

  @Test
  void anExperimentsJsonIsItsDeclaration() throws IOException {
    ObjectMapper mapper = ExperimentStore.mapper();
    Experiment experiment = read(WHOLE).experiment();
    byte[] json = mapper.writeValueAsBytes(experiment);
    assertEquals(experiment, mapper.convertValue(mapper.valueToTree(experiment), Experiment.class));
    ExperimentReader.Draft again = new ExperimentReader(Fixtures.surfaces()).read(json);
    assertEquals(List.of(), again.fields().violations());
    assertEquals(experiment, again.experiment());
  }

  @Test
  void theExampleIsRight() throws IOException, InvalidSurfaceException {
    Path examples = Path.of("../examples");
    Surfaces surfaces =
        new Surfaces(
            List.of(
                new SurfaceReader()
                    .parse(
                        "short-video.yaml",
                        Files.readAllBytes(examples.resolve("surfaces/short-video.yaml")))));
    byte[] json =
        new ObjectMapper()
            .writeValueAsBytes(
                new YAMLMapper().readTree(examples.resolve("experiments/rollout.yaml").toFile()));
    ExperimentReader.Draft draft = new ExperimentReader(surfaces).read(json);
    assertEquals(List.of(), draft.fields().violations());
    assertEquals(
        List.of("click-at-least", "like-at-least"),
        draft.experiment().guardrails().stream().map(MetricDeclaration::name).toList());
  }

  @Test
  void theDeclarationsOfTheGuideAreRight() throws IOException {
    Matcher blocks =
        Pattern.compile("```json\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("../docs/experiments.md")));
    int declarations = 0;
    while (blocks.find()) {
      if (blocks.group(1).contains("\"variants\"")) {
        assertEquals(List.of(), read(blocks.group(1)).fields().violations());
        declarations++;
      }
    }
    assertTrue(declarations >= 2);
  }

  @Test
  void aPayloadKeepsItsType() throws IOException {
    Experiment flag =
        read("{'name':'price','surface':'feed','autoActivateBulk':true,'variants':["
                + "{'name':'a','payload':1.0},{'name':'b','payload':2.0}]}")
            .experiment();
    assertTrue(flag.autoActivateBulk());
    ObjectMapper mapper = ExperimentStore.mapper();
    Experiment again = mapper.readValue(mapper.writeValueAsBytes(flag), Experiment.class);
    assertEquals("1.0", String.valueOf(again.control().payload()));
    assertEquals(flag, again);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'name':'a b'                                             | #/name                   | must be 1 to 64 letters
          'name':'../x'                                            | #/name                   | must be 1 to 64 letters
          'kind':'ABN'                                             | #/kind                   | must be one of AB, SHADOW
          'salt':'a:b'                                             | #/salt                   | must be 1 to 64 letters
          'unit':'SESSION'                                         | #/unit                   | SUBJECT, REQUEST, BLOCK
          'unit':'BLOCK'                                           | #/unit                   | must be SUBJECT or REQUEST
          'slice':{'from':5000,'to':4000}                          | #/slice                  | is [5000, 4000), must be
          'slice':{'from':0,'to':10001}                            | #/slice                  | is [0, 10001)
          'variants':[{'name':'c'}]                                | #/variants               | are 1, the kind AB has 2 to 20
          'variants':[]                                            | #/variants               | is missing or empty
          'variants':[{'name':'c'},{'name':'t'}]                   | #/variants/1/policy      | is missing, must be champion
          'variants':[{'name':'c'},{'name':'c','policy':'uniform'}]| #/variants/1/name        | is the name of variant 0 as well
          'variants':[{'name':'c'},{'name':'t','policy':'best'}]   | #/variants/1/policy      | is "best", must be champion
          'variants':[{'name':'c'},{'name':'t','payload':1}]       | #/variants/0/payload     | all must or none
          'variants':[{'name':'c','weight':5000},{'name':'t','policy':'uniform','weight':4000}] | #/variants | add up to 9000, must add up to 10000
          'variants':[{'name':'c','weight':5000},{'name':'t','policy':'uniform'}] | #/variants/1/weight | is missing, while other variants have one
          'targeting':[{'attribute':'age','in':['x']}]             | #/targeting/0/attribute  | context feature of 'feed': subject, country, hour, taste
          'targeting':[{'attribute':'country','in':['xx']}]        | #/targeting/0/in/0       | must be one of fi, se, no
          'targeting':[{'attribute':'country','atLeast':3}]        | #/targeting/0/atLeast    | compares numbers
          'targeting':[{'attribute':'country'}]                    | #/targeting/0/in         | is missing, as are notIn
          'targeting':[{'attribute':'hour','exists':false}]        | #/targeting/0/exists     | is false, must be true
          'primary':['love']                                       | #/primary/0              | must be a signal of 'feed': watch_seconds, like
          'primary':[]                                             | #/primary                | an array of 1 to 3 metrics
          'primary':[{'signal':'like','kind':'RATIO'}]             | #/primary/0/denominator  | is missing
          'primary':[{'signal':'like','kind':'QUANTILE'}]          | #/primary/0/quantile     | must be a number above 0
          'primary':[{'signal':'like','covariate':true}]           | #/primary/0/covariate    | while analysis.preperiod is 0
          'primary':[{'signal':'like','covariate':true,'winsorize':0.99}] | #/primary/0/covariate | take no covariate
          'guardrails':[{'signal':'like','covariate':true,'margin':{'kind':'BOUND','value':1}}],'analysis':{'preperiod':'P14D'} | #/guardrails/0/covariate | a BOUND limits a level
          'secondary':['watch_seconds']                            | #/secondary/0            | the name of #/primary already
          'guardrails':[{'signal':'like','margin':{'value':-1}}]   | #/guardrails/0/margin/value | is -1, must be a number of at least 0
          'health':{'degradedShare':2}                             | #/health/degradedShare   | of at least 0.0 and at most 1.0
          'plan':'fast'                                            | #/plan                   | must be "default" or an array
          'plan':[{'share':500},{'share':100}]                     | #/plan/1/share           | is 100 after 500, shares must grow
          'plan':[{'share':20000}]                                 | #/plan/0/share           | must be from 0 to 10000
          'plan':[{'share':100,'atLeast':'2h'}]                    | #/plan/0/atLeast         | an ISO 8601 duration such as PT2H
          'plan':[{'share':100,'until':1}]                         | #/plan/0/until           | is not known
          'analysis':{'looks':101}                                 | #/analysis/looks         | must be at most 100
          'analysis':{'preperiod':'P4000D'}                        | #/analysis/preperiod     | at most PT87600H
          'analysis':{'alpha':0}                                   | #/analysis/alpha         | above 0.0 and below 0.5
          'overrides':{'x':'nobody'}                               | #/overrides/x            | must be one of the variants c, t
          'startAt':'tomorrow'                                     | #/startAt                | a time such as
          'startAt':'2026-12-02T00:00:00Z','endAt':'2026-12-01T00:00:00Z' | #/endAt           | must be after startAt
          'blockLength':'PT1H'                                     | #/blockLength            | belongs to the kind SWITCHBACK
          'kind':'SWITCHBACK'                                      | #/blockLength            | is missing
          'kind':'SWITCHBACK','blockLength':'PT1H','washout':'PT1H'| #/washout                | must be shorter than the block
          'kind':'SWITCHBACK','blockLength':'PT1H','plan':'default'| #/plan                   | belongs to the kind AB
          'kind':'BANDIT','floor':0.6                              | #/floor                  | at most 0.5
          'kind':'HOLDOUT'                                         | #/variants/0/policy      | is missing, must be champion
          'kind':'APPRENTICE'                                      | #/variants               | exactly 1
          'kind':'INTERLEAVING'                                    | #/variants/1/policy      | must be a ranking
          'autoActivateBulk':true                                  | #/autoActivateBulk       | belongs to variants with payloads
          'variants':[{'name':'c','payload':1},{'name':'t','payload':1.0}] | #/variants/1/payload | is 1.0, must be a whole number like
          'variants':[{'name':'c','payload':[1]},{'name':'t','payload':[2]}] | #/variants/0/payload | is an array of 1, must be a text
          'variants':[{'name':'c','payload':1},{'name':'t','payload':2}],'unit':'REQUEST' | #/unit | must be SUBJECT for payloads
          'variants':[{'name':'c','payload':1},{'name':'t','payload':2}],'plan':[{'share':0}] | #/plan/0/share | cannot be scored
          'override':' '                                           | #/override               | the reason why
          'nonsense':1                                             | #/nonsense               | is not known
          """)
  void aMistakeIsRefusedWithItsPlace(String fields, String pointer, String detail) {
    List<Violation> violations = read(declared(fields)).fields().violations();
    assertTrue(
        violations.stream()
            .anyMatch(v -> v.pointer().equals(pointer) && v.detail().contains(detail)),
        violations::toString);
  }

  @Test
  void allMistakesAreFoundAtOnce() {
    List<Violation> violations =
        read(declared("'kind':'X','unit':'Y','plan':3,'startAt':4,'health':5"))
            .fields()
            .violations();
    assertEquals(5, violations.size(), violations::toString);
  }

  @Test
  void anOrdinaryDeclarationHasNoMistake() {
    assertEquals(List.of(), read(declared("'owner':'anna'")).fields().violations());
  }

  @Test
  void tooManyVariantsAreRefused() {
    StringBuilder variants = new StringBuilder("'variants':[{'name':'c'}");
    for (int i = 0; i < 20; i++) {
      variants.append(",{'name':'t").append(i).append("','policy':'uniform'}");
    }
    List<Violation> violations = read(declared(variants + "]")).fields().violations();
    assertTrue(violations.get(0).detail().contains("are 21, the kind AB has 2 to 20"));
  }

  @Test
  void tooManyOverridesAreRefused() {
    StringBuilder overrides = new StringBuilder("'overrides':{'u':'c'");
    for (int i = 0; i < 1000; i++) {
      overrides.append(",'u").append(i).append("':'t'");
    }
    List<Violation> violations = read(declared(overrides + "}")).fields().violations();
    assertEquals("are 1001, must be at most 1000", violations.get(0).detail());
  }

  @Test
  void whatIsNoJsonIsRefused() {
    assertThrows(ProblemException.class, () -> read("{'name':"));
  }

  /** A right declaration with some fields replaced or added. */
  private static String declared(String fields) {
    StringBuilder json = new StringBuilder("{").append(fields);
    if (!fields.startsWith("'name'")) {
      json.append(",'name':'exp-1'");
    }
    if (!fields.startsWith("'variants'")) {
      json.append(",'variants':[{'name':'c'},{'name':'t','policy':'uniform'}]");
    }
    return json.append(",'surface':'feed'}").toString();
  }

  @Test
  void subjectsAreKeptAsPseudonymsAlsoWhenADeclarationIsSentAgain() {
    Pseudonyms pseudonyms = PseudonymsFixture.under("a secret of sixteen");
    ExperimentReader reader = new ExperimentReader(Fixtures.surfaces(), pseudonyms);
    String declaration =
        "{'name':'e','surface':'feed','variants':[{'name':'control','policy':'uniform'},"
            + "{'name':'treatment','policy':'as-given'}],'overrides':{'%s':'treatment'},"
            + "'targeting':[{'attribute':'subject','notIn':['%s']}]}";
    Experiment once = reader.read(Lab.bytes(declaration.formatted("anna", "bo"))).experiment();
    String anna = pseudonyms.of("anna");
    assertEquals(java.util.Map.of(anna, "treatment"), once.overrides());
    Experiment again =
        reader.read(Lab.bytes(declaration.formatted(anna, pseudonyms.of("bo")))).experiment();
    assertEquals(once, again);
    assertFalse(once.toString().contains("anna"));
  }

  private static ExperimentReader.Draft read(String json) {
    return new ExperimentReader(Fixtures.surfaces()).read(Lab.bytes(json));
  }
}
