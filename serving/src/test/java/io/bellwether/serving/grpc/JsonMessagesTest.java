package io.bellwether.serving.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import io.bellwether.api.v1.Candidate;
import io.bellwether.api.v1.DecideBatchResponse;
import io.bellwether.api.v1.DecideRequest;
import io.bellwether.api.v1.Decision;
import io.bellwether.api.v1.DecisionOptions;
import io.bellwether.api.v1.Outcome;
import io.bellwether.api.v1.Receipt;
import io.bellwether.api.v1.RecordOutcomesResponse;
import io.bellwether.api.v1.Subject;
import io.bellwether.serving.decision.DecisionAnswer;
import io.bellwether.serving.decision.Decisions;
import io.bellwether.serving.outcome.OutcomeService;
import io.bellwether.serving.problem.ProblemException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class JsonMessagesTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Test
  void aRequestIsTheJsonOfRest() {
    DecideRequest request =
        DecideRequest.newBuilder()
            .setSurface("feed")
            .setDecisionId("d-1")
            .setSubject(Subject.newBuilder().setId("kävijä-🦊"))
            .setContext(struct(Map.of("hour", number(7), "country", text("fi"))))
            .addCandidates(
                Candidate.newBuilder()
                    .setId("a")
                    .setFeatures(struct(Map.of("age_hours", number(1.5), "fresh", flag(true)))))
            .addCandidates(Candidate.newBuilder().setId("b"))
            .addExcludedCandidateIds("x")
            .setOptions(DecisionOptions.newBuilder().setTopK(1).setDryRun(false).setSeed(1L << 60))
            .build();
    assertEquals(
        "{'surface':'feed','decisionId':'d-1','subject':{'id':'kävijä-🦊'},"
            + "'context':{'country':'fi','hour':7},"
            + "'candidates':[{'id':'a','features':{'age_hours':1.5,'fresh':true}},{'id':'b'}],"
            + "'excludedCandidateIds':['x'],"
            + "'options':{'topK':1,'dryRun':false,'seed':1152921504606846976}}",
        json(request));
  }

  @Test
  void whatIsNotSetIsLeftOutAndWhatIsSetToItsDefaultIsNot() {
    assertEquals("{}", json(Outcome.getDefaultInstance()));
    assertEquals(
        "{'signal':'','value':0}", json(Outcome.newBuilder().setSignal("").setValue(0).build()));
    assertEquals(
        "{'occurredAt':'2026-11-30T04:00:00.000001Z'}",
        json(
            Outcome.newBuilder()
                .setOccurredAt(Timestamp.newBuilder().setSeconds(1_796_011_200).setNanos(1000))
                .build()));
  }

  @Property(tries = 200)
  void valuesAreWhatTheOfficialMappingMakesOfThem(@ForAll("values") Value value) throws Exception {
    DecideRequest request =
        DecideRequest.newBuilder().setFilter(value).setContext(struct(Map.of("v", value))).build();
    JsonNode expected = MAPPER.readTree(JsonFormat.printer().print(request));
    JsonNode actual = MAPPER.readTree(JsonMessages.json(request));
    assertTrue(
        expected.equals(JsonMessagesTest::compared, actual), () -> expected + " is not " + actual);
    assertEquals(
        request.getContext(),
        JsonMessages.read(actual, DecideRequest.newBuilder()).build().getContext());
  }

  /** 7.0 is 7. */
  private static int compared(JsonNode a, JsonNode b) {
    boolean numbers = a.isNumber() && b.isNumber();
    boolean same = numbers ? a.asDouble() == b.asDouble() : a.equals(b);
    return same ? 0 : 1;
  }

  @Provide
  Arbitrary<Value> values() {
    return Arbitraries.lazyOf(
        () -> Arbitraries.doubles().map(JsonMessagesTest::number),
        () -> Arbitraries.strings().map(JsonMessages::wellFormed).map(JsonMessagesTest::text),
        () -> Arbitraries.of(true, false).map(JsonMessagesTest::flag),
        () -> Arbitraries.just(Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build()),
        () ->
            values()
                .list()
                .ofMaxSize(3)
                .map(list -> Value.newBuilder().setListValue(list(list)).build()),
        () ->
            Arbitraries.maps(Arbitraries.strings().alpha().ofMaxLength(3), values())
                .ofMaxSize(3)
                .map(map -> Value.newBuilder().setStructValue(struct(map)).build()));
  }

  @Test
  void theOrderOfMembersOnTheWireDoesNotMatter() {
    Struct one = Struct.newBuilder().putFields("b", number(2)).putFields("a", number(1)).build();
    Struct other = Struct.newBuilder().putFields("a", number(1)).putFields("b", number(2)).build();
    assertEquals(
        json(DecideRequest.newBuilder().setContext(one).build()),
        json(DecideRequest.newBuilder().setContext(other).build()));
  }

  @Test
  void whatJsonCannotHoldIsRefusedWithItsPlace() {
    UnknownFieldSet later =
        UnknownFieldSet.newBuilder()
            .addField(77, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    assertRefused(
        "#/candidates/1 has field 77",
        DecideRequest.newBuilder()
            .addCandidates(Candidate.newBuilder().setId("a"))
            .addCandidates(Candidate.newBuilder().setUnknownFields(later))
            .build());
    assertRefused(
        "#/context/hour is NaN",
        DecideRequest.newBuilder().setContext(struct(Map.of("hour", number(Double.NaN)))).build());
    assertRefused(
        "#/value is Infinity", Outcome.newBuilder().setValue(Double.POSITIVE_INFINITY).build());
    assertRefused(
        "#/occurredAt is ",
        Outcome.newBuilder().setOccurredAt(Timestamp.newBuilder().setNanos(-1)).build());
    assertRefused(
        "#/occurredAt is ",
        Outcome.newBuilder()
            .setOccurredAt(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE))
            .build());
  }

  @Test
  void everythingThatIsAnsweredOverRestIsAnsweredOverGrpc() {
    assertSame(DecisionAnswer.class, Decision.getDescriptor(), "#");
    assertSame(Decisions.Batch.class, DecideBatchResponse.getDescriptor(), "#");
    assertSame(OutcomeService.Batch.class, RecordOutcomesResponse.getDescriptor(), "#");
    assertSame(OutcomeService.Receipt.class, Receipt.getDescriptor(), "#");
  }

  /** The members of a record are the fields of a message, and so on inside. */
  private static void assertSame(Class<?> answer, Descriptor message, String place) {
    Set<String> members = new TreeSet<>();
    for (RecordComponent member : answer.getRecordComponents()) {
      members.add(member.getName());
      FieldDescriptor field =
          message.getFields().stream()
              .filter(f -> f.getJsonName().equals(member.getName()))
              .findAny()
              .orElseThrow(() -> new AssertionError("no " + place + "/" + member.getName()));
      Class<?> type = element(member.getGenericType());
      if (type.isRecord()) {
        assertSame(type, field.getMessageType(), place + "/" + member.getName());
      }
    }
    assertEquals(
        members,
        message.getFields().stream()
            .map(FieldDescriptor::getJsonName)
            .collect(Collectors.toCollection(TreeSet::new)),
        place);
  }

  private static Class<?> element(Type type) {
    return type instanceof ParameterizedType list
        ? (Class<?>) list.getActualTypeArguments()[0]
        : (Class<?>) type;
  }

  private static void assertRefused(String detail, Message message) {
    ProblemException refusal =
        assertThrows(ProblemException.class, () -> JsonMessages.json(message));
    assertEquals(400, refusal.problem().status());
    assertTrue(refusal.problem().detail().startsWith(detail), refusal.problem().detail());
  }

  private static String json(Message message) {
    return new String(JsonMessages.json(message), UTF_8).replace('"', '\'');
  }

  private static Struct struct(Map<String, Value> members) {
    return Struct.newBuilder().putAllFields(members).build();
  }

  private static ListValue list(List<Value> values) {
    return ListValue.newBuilder().addAllValues(values).build();
  }

  private static Value number(double value) {
    return Value.newBuilder().setNumberValue(value).build();
  }

  private static Value text(String value) {
    return Value.newBuilder().setStringValue(value).build();
  }

  private static Value flag(boolean value) {
    return Value.newBuilder().setBoolValue(value).build();
  }
}
