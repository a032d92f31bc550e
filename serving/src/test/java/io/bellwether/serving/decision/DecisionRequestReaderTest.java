package io.bellwether.serving.decision;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.Fixtures;
import io.bellwether.serving.item.CatalogueFixture;
import io.bellwether.serving.log.EventIdsFixture;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.pseudonym.Pseudonyms;
import io.bellwether.serving.pseudonym.PseudonymsFixture;
import io.bellwether.serving.surface.Surfaces;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionRequestReaderTest {

  /** Shared: a property would make them anew at each try. */
  private static final Surfaces SURFACES = Fixtures.surfaces();

  private static final DecisionRequestReader READER =
      new DecisionRequestReader(
          SURFACES,
          CatalogueFixture.of(
              SURFACES, Map.of("feed/r1", "{'features':{'age_hours':1}}", "feed/r2", "{}")),
          EventIdsFixture.ids());

  @Test
  void featuresAreEncodedInTheOrderOfTheRequest() {
    DecisionRequest request =
        read(
            "{'surface':'feed','subject':{'id':'u'},'context':{'hour':7,'country':'se'},"
                + "'candidates':[{'id':'a','features':{'age_hours':3}},"
                + "{'id':'b','features':{'fresh':true}}]}");
    assertArrayEquals(new float[] {2, 7, 1, 0, 0}, request.context());
    assertArrayEquals(new float[] {3, 1, 0, 0, 0, 1}, request.items().toArray());
    assertEquals(List.of("a", "b"), request.candidateIds());
    assertEquals("[{\"age_hours\":3},{\"fresh\":true}]", request.rawItems());
    assertEquals("{\"hour\":7,\"country\":\"se\"}", request.sent().json());
    assertEquals(3, request.slateSize());
    assertTrue(request.wantsHistory());
    assertFalse(request.repeatable());
  }

  @Test
  void registeredItemsAreNamedById() {
    DecisionRequest request = read("{'surface':'feed','candidates':[{'id':'r1'}]}");
    assertArrayEquals(new float[] {1, 1, 0}, request.items().toArray());
    assertNull(request.rawItems());
  }

  @Test
  void registeredItemsAndInlineOnesStandSideBySide() {
    DecisionRequest request =
        read(
            "{'surface':'feed','candidates':[{'id':'r2'},{'features':{'fresh':true},'id':'a'},"
                + "{'id':'r1','features':{'age_hours':9}}]}");
    assertEquals(List.of("r2", "a", "r1"), request.candidateIds());
    assertArrayEquals(new float[] {0, 0, 0, 0, 0, 1, 9, 1, 0}, request.items().toArray());
    assertEquals("[null,{\"fresh\":true},{\"age_hours\":9}]", request.rawItems());
  }

  @Test
  void whatIsExcludedLeavesNothingBehind() {
    DecisionRequest request =
        read(
            "{'surface':'feed','excludedCandidateIds':['a','r1','never'],"
                + "'candidates':[{'id':'r1'},{'id':'a','features':{}},{'id':'r2'}]}");
    assertEquals(List.of("r2"), request.candidateIds());
    assertArrayEquals(new float[] {0, 0, 0}, request.items().toArray());
    assertNull(request.rawItems());
  }

  @Test
  void candidatesMayComeBeforeTheSurface() {
    DecisionRequest request =
        read("{'candidates':[{'id':'r2'},{'id':'r1'}],'surface':'feed','context':{'hour':1}}");
    assertEquals(List.of("r2", "r1"), request.candidateIds());
    assertEquals("{\"hour\":1}", request.sent().json());
  }

  @Test
  void theContextIsKeptAsItWasSent() {
    assertEquals(
        "{ \"hour\" : 1e0,\n\t\"country\":\"\\u0073e\" }",
        read("{ 'surface': 'feed', 'context' : { 'hour' : 1e0,\n\t'country':'\\u0073e' } ,"
                + "'candidates':[{'id':'r1'}]}")
            .sent()
            .json());
    assertEquals("{}", read("{'surface':'feed','candidates':[{'id':'r1'}]}").sent().json());
    byte[] utf16 = "{\"surface\":\"feed\",\"context\":{\"hour\": 1}}".getBytes(UTF_16BE);
    assertEquals("{\"hour\":1}", READER.read(null, utf16).sent().json());
  }

  @Test
  void aContextReadsTheSameBeforeAndAfterTheSurface() {
    String context = "'context':{'country':'se','hour':7.25}";
    DecisionRequest before = read("{" + context + ",'surface':'feed','candidates':[{'id':'r1'}]}");
    DecisionRequest after = read("{'surface':'feed'," + context + ",'candidates':[{'id':'r1'}]}");
    assertArrayEquals(before.context(), after.context());
    assertEquals(before.sent().json(), after.sent().json());
    assertEquals(before.sent().get(), after.sent().get());
  }

  @Test
  void aContextIsRefusedForTheSameBeforeAndAfterTheSurface() {
    for (String wrong :
        List.of("[]", "7", "{'hour':'x'}", "{'nope':1}", "{'hour':1e999}", "{'hour':[1,{}]}")) {
      String context = "'context':" + wrong;
      Problem before = refused("{" + context + ",'surface':'feed','candidates':[{'id':'r1'}]}");
      Problem after = refused("{'surface':'feed'," + context + ",'candidates':[{'id':'r1'}]}");
      assertEquals(before.errors(), after.errors(), wrong);
    }
    for (String twice : List.of("'context':{'hour':1,'hour':2}", "'context':{},'context':{}")) {
      String why = refused("{'surface':'feed'," + twice + "}").detail();
      assertTrue(why.contains("Duplicate field"), why);
    }
  }

  @Test
  void aReaderForgetsTheRequestBefore() {
    refused("{'surface':'feed','candidates':[{'id':'r1'},{'id':'x','features':{'no':1}}]}");
    assertEquals(
        List.of("r1"), read("{'surface':'feed','candidates':[{'id':'r1'}]}").candidateIds());
    refused("{'surface':'feed','candidates':[{'id':'r1'}");
    assertNotNull(read("{'surface':'feed'}").wanted());
  }

  @Property(tries = 200)
  void featuresAreTheSameWhetherTheirSurfaceIsKnownBeforeThemOrNot(
      @ForAll("elements") List<String> elements) {
    String candidates = "'candidates':[" + String.join(" , ", elements) + "]";
    String known = "{'surface':'feed','excludedCandidateIds':['d']," + candidates + "}";
    String unknown = "{" + candidates + ",'surface':'feed','excludedCandidateIds':['d']}";
    DecisionRequest request;
    try {
      request = read(known);
    } catch (ProblemException e) {
      assertEquals(e.problem().errors(), refused(unknown).errors());
      return;
    }
    DecisionRequest other = read(unknown);
    assertEquals(other.candidateIds(), request.candidateIds());
    assertArrayEquals(other.items().toArray(), request.items().toArray());
    assertEquals(other.rawItems(), request.rawItems());
  }

  @Provide
  Arbitrary<List<String>> elements() {
    Arbitrary<String> right =
        Arbitraries.of(
            "{'id':'r1'}",
            "{'id':'r2','features':{'age_hours':9}}",
            "{'id':'a','features':{'fresh':true,'age_hours':0.5}}",
            "{'features':{},'id':'b\\u00e4'}",
            "{'id':'ä\\ud83e\\udd8a','features':{'age_hours':null}}",
            "{'id':'d','features':{'fresh':false}}");
    Arbitrary<String> wrong =
        Arbitraries.of(
            "{'id':'r1','features':null}",
            "{'id':'e','features':null}",
            "{'id':' ','features':{}}",
            "{'id':'\\ud83e','features':{}}",
            "{'id':'f','features':{'no':1}}",
            "{'id':'g','features':[]}",
            "{'id':'h','features':{'age_hours':-1}}",
            "{'id':'i','features':{'age_hours':'1'}}",
            "{'id':'j','new':{'a':[1]},'features':{}}",
            "{'id':3,'features':{}}",
            "{'features':{'fresh':true}}",
            "{}",
            "7",
            "['r1']");
    return Arbitraries.frequencyOf(Tuple.of(6, right), Tuple.of(1, wrong)).list().ofMaxSize(6);
  }

  @Test
  void idsOfRegisteredItemsAreOfAnyScript() {
    Map<String, String> items = new HashMap<>();
    StringBuilder ids = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      String id = "ä🦊\u0000".repeat(i % 3) + i;
      items.put("feed/" + id, "{'features':{'age_hours':%d}}".formatted(i));
      ids.append(i == 0 ? "" : ",")
          .append("{'id':'")
          .append(id.replace("\0", "\\u0000"))
          .append("'}");
    }
    DecisionRequest request =
        new DecisionRequestReader(
                SURFACES, CatalogueFixture.of(SURFACES, items), EventIdsFixture.ids())
            .read(
                null,
                "{'surface':'feed','candidates':[%s]}"
                    .formatted(ids)
                    .replace('\'', '"')
                    .getBytes(UTF_8));
    assertEquals("ä🦊\u0000" + 19, request.candidateIds().get(19));
    float[] floats = request.items().toArray();
    for (int i = 0; i < 20; i++) {
      assertEquals(i, floats[3 * i]);
    }
  }

  @Test
  void withoutCandidatesRetrievalLooksAmongRegisteredItemsExceptExcludedOnes() {
    DecisionRequest request =
        read("{'surface':'feed','excludedCandidateIds':['r1'],'filter':{'fresh':true}}");
    assertEquals(List.of(), request.candidateIds());
    assertEquals(Set.of("r1"), Objects.requireNonNull(request.wanted()).excluded());
    assertEquals(1, request.wanted().conditions().size());
    assertNull(read("{'surface':'feed','candidates':[{'id':'r1'}]}").wanted());
  }

  @Test
  void behindTheEdgeASubjectIsAPseudonym() {
    Pseudonyms pseudonyms = PseudonymsFixture.under("a secret of sixteen");
    DecisionRequestReader reader =
        new DecisionRequestReader(
            SURFACES, CatalogueFixture.of(SURFACES, Map.of()), EventIdsFixture.ids(), pseudonyms);
    byte[] body =
        "{\"surface\":\"feed\",\"subject\":{\"id\":\"anna@example.com\"},\"candidates\":[{\"id\":\"a\",\"features\":{}}]}"
            .getBytes(UTF_8);
    DecisionRequest request = reader.read(null, body);
    assertEquals(pseudonyms.of("anna@example.com"), request.subjectId());
    assertFalse(request.historyKey().contains("anna"));
    assertFalse(request.anonymous());
  }

  @Test
  void whoNamesNobodyIsAlone() {
    DecisionRequest request = read("{'surface':'feed','decisionId':'d-1','subject':null}");
    assertEquals("d-1", request.subjectId());
    assertFalse(request.wantsHistory());
    assertTrue(request.repeatable());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"k-1,k-1", "`\"k-1\"`,k-1"})
  void theKeyOfTheRequestIsTheIdThatTheBodyLacks(String key, String id) {
    DecisionRequest request = read(key, "{'surface':'feed'}");
    assertEquals(id, request.decisionId());
    assertTrue(request.repeatable());
    assertEquals("d-1", read(key, "{'surface':'feed','decisionId':'d-1'}").decisionId());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"\"", "two words", "a/b"})
  void aKeyThatCannotBeAnIdIsRefused(String key) {
    Problem problem =
        assertThrows(ProblemException.class, () -> read(key, "{'surface':'feed'}")).problem();
    assertEquals("urn:bellwether:problem:invalid-request", problem.type());
  }

  @Test
  void idsOfAnyScriptAreKept() {
    String id = "käyttäjä-🦊-\\u0041\\u030a";
    DecisionRequest request =
        read("{'surface':'feed','subject':{'id':'" + id + "'},'candidates':[{'id':'r1'}]}");
    assertEquals("käyttäjä-🦊-A\u030a", request.subjectId());
  }

  @Test
  void everyMistakeIsReported() {
    Problem problem =
        refused(
            "{'surface':'feed','context':{'hour':99,'mood':1},"
                + "'candidates':[{'id':' '},{'features':{'fresh':1}}],'topK':3}");
    assertEquals(
        List.of("#/topK", "#/context/hour", "#/context/mood", "#/candidates/0/id"),
        problem.errors().stream().map(Problem.Entry::pointer).limit(4).toList());
    assertEquals(6, problem.errors().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                           | invalid-request     | #/surface
          []                                                           | invalid-request     | #
          {'surface':7}                                                | invalid-request     | #/surface
          {'surface':'nope'}                                           | invalid-request     | #/surface
          {'surface':'feed','decisionId':'a/b'}                        | invalid-request     | #/decisionId
          {'surface':'feed','decisionId':''}                           | invalid-request     | #/decisionId
          {'surface':'feed','subject':'u'}                             | invalid-request     | #/subject
          {'surface':'feed','subject':{}}                              | invalid-request     | #/subject/id
          {'surface':'feed','subject':{'id':null}}                     | invalid-request     | #/subject/id
          {'surface':'feed','subject':{'id':''}}                       | invalid-request     | #/subject/id
          {'surface':'feed','subject':{'id':'   '}}                    | invalid-request     | #/subject/id
          {'surface':'feed','subject':{'id':'\\ud800'}}                | invalid-request     | #/subject/id
          {'surface':'feed','context':[]}                              | invalid-request     | #/context
          {'surface':'feed','context':{'hour':'7'}}                    | invalid-request     | #/context/hour
          {'surface':'feed','context':{'hour':24}}                     | value-out-of-range  | #/context/hour
          {'surface':'feed','context':{'hour':1e999}}                  | value-out-of-range  | #/context/hour
          {'surface':'feed','context':{'taste':[1]}}                   | invalid-request     | #/context/taste
          {'surface':'feed','candidates':[]}                           | invalid-request     | #/candidates
          {'surface':'feed','candidates':{}}                           | invalid-request     | #/candidates
          {'surface':'feed','candidates':[{'id':'r1'},{'id':'r1'}]}    | invalid-request     | #/candidates/1/id
          {'surface':'feed','candidates':[{'id':'r1'},{'id':'x','features':{}},{'id':'r1','features':{}}]} | invalid-request | #/candidates/2/id
          {'surface':'feed','candidates':[{'id':'x','features':{}},{'features':{},'id':'x'}]} | invalid-request | #/candidates/1/id
          {'surface':'feed','candidates':[{'id':7}]}                   | invalid-request     | #/candidates/0/id
          {'surface':'feed','candidates':[[{'id':'r1'}]]}              | invalid-request     | #/candidates/0
          {'surface':'feed','candidates':[{'id':'never'}]}             | invalid-request     | #/candidates/0/id
          {'surface':'feed','candidates':['r1']}                       | invalid-request     | #/candidates/0
          {'surface':'feed','candidates':[{'id':'r1','price':1}]}      | unknown-field       | #/candidates/0/price
          {'surface':'feed','candidates':[{'id':'r1'}],'excludedCandidateIds':['r1','r2']} | invalid-request     | #/excludedCandidateIds
          {'surface':'feed','excludedCandidateIds':{'a':1}}            | invalid-request     | #/excludedCandidateIds
          {'surface':'feed','excludedCandidateIds':'r1'}               | invalid-request     | #/excludedCandidateIds
          {'surface':'feed','excludedCandidateIds':['r1',7]}           | invalid-request     | #/excludedCandidateIds/1
          {'surface':'feed','slots':[{'id':'top'}]}                    | invalid-request     | #/slots
          {'surface':'feed','options':{'topK':0}}                      | value-out-of-range  | #/options/topK
          {'surface':'feed','options':{'topK':1.5}}                    | invalid-request     | #/options/topK
          {'surface':'feed','options':{'dryRun':'yes'}}                | invalid-request     | #/options/dryRun
          {'surface':'feed','sureface':'feed'}                         | unknown-field       | #/sureface
          """)
  void aMistakeIsRefusedWithItsPlace(String body, String slug, String pointer) {
    Problem problem = refused(body);
    assertEquals(400, problem.status());
    assertEquals("urn:bellwether:problem:" + slug, problem.type());
    assertEquals(pointer, problem.errors().get(0).pointer());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'surface':'feed','candidates':[],'candidates':[]}",
        "{'surface':'feed','candidates':null,'candidates':[]}",
        "{'surface':'feed','candidates':[],'candidates':null}",
        "{'surface':'feed','surface':'feed'}",
        "{'surface':'feed','candidates':[{'id':'r1','id':'r1'}]}",
        "{'surface':'feed','candidates':[{'id':'r1','features':{},'features':{}}]}"
      })
  void aFieldThatComesTwiceIsRefused(String body) {
    assertTrue(refused(body).detail().contains("Duplicate field"), refused(body).detail());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'surface':'feed','candidates':[{'id':'r1'}",
        "{'surface':'feed','candidates':[{'id':'r1'}]} {}",
        "{'surface':'feed','candidates':[{'id':'r1',}]}",
        "{'surface':'feed','candidates':[{'id':'r1' 'features':{}}]}",
        "{'surface':'feed','candidates':[{'id':'r1'},]}",
        "{'surface':'feed','candidates':[{'id':'r1','features':{'a':[[[[[1]]]]]}}]}"
      })
  void whatIsNotStrictJsonIsRefused(String body) {
    assertTrue(refused(body).detail().startsWith("The body is not JSON"), refused(body).detail());
  }

  @Test
  void aCandidateThatIsNoObjectIsOneMistake() {
    assertEquals(1, refused("{'surface':'feed','candidates':['r1']}").errors().size());
    assertEquals(1, refused("null").errors().size());
  }

  @Test
  void moreCandidatesThanTheSurfaceTakesAreRefused() {
    StringBuilder many = new StringBuilder("{'id':'c0','features':{}}");
    for (int i = 1; i <= 20; i++) {
      many.append(",{'id':'c").append(i).append("','features':{}}");
    }
    assertEquals(
        "urn:bellwether:problem:too-many-candidates",
        refused("{'surface':'feed','candidates':[" + many + "]}").type());
  }

  private DecisionRequest read(String body) {
    return READER.read(null, body.replace('\'', '"').getBytes(UTF_8));
  }

  private DecisionRequest read(String key, String body) {
    return READER.read(key, body.replace('\'', '"').getBytes(UTF_8));
  }

  private Problem refused(String body) {
    return assertThrows(ProblemException.class, () -> read(body)).problem();
  }
}
