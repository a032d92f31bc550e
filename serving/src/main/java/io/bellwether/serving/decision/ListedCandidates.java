package io.bellwether.serving.decision;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.feature.FeatureEncoder;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a request's {@code candidates} as they were sent. One that is only an id, which
 * most are, is kept as characters and costs no object of its own: {@code text[from..from + length)}
 * is its id. One that brings its features has them in {@code rows[element * width + column]}, and
 * in the body between {@link #featuresFrom} and {@link #featuresTo}. Whatever else is an element is
 * a tree. Memory that is used again for every request of a thread; confined to it.
 */
final class ListedCandidates {

  private static final int INITIAL_CHARS = 2048;
  private static final int INITIAL_ELEMENTS = 128;

  /** What an exceptional request needed is not kept for all that follow. */
  private static final int MOST_KEPT_ELEMENTS = 1024;

  private static final int MOST_KEPT_CHARS = 1 << 16;
  private static final int MOST_KEPT_FLOATS = 1 << 18;

  private boolean present;
  private boolean irregular;
  private int size;
  private char[] text = new char[INITIAL_CHARS];
  private int[] ends = new int[INITIAL_ELEMENTS];
  private @Nullable JsonNode[] trees = new JsonNode[INITIAL_ELEMENTS];

  /** In the body; 0 to 0 where an element has no features, or is a tree. */
  private int[] featuresFrom = new int[INITIAL_ELEMENTS];

  private int[] featuresTo = new int[INITIAL_ELEMENTS];
  private float[] rows = new float[0];

  /** Forgets the request before. */
  void clear() {
    if (ends.length > MOST_KEPT_ELEMENTS
        || text.length > MOST_KEPT_CHARS
        || rows.length > MOST_KEPT_FLOATS) {
      text = new char[INITIAL_CHARS];
      ends = new int[INITIAL_ELEMENTS];
      trees = new JsonNode[INITIAL_ELEMENTS];
      featuresFrom = new int[INITIAL_ELEMENTS];
      featuresTo = new int[INITIAL_ELEMENTS];
      rows = new float[0];
    } else {
      Arrays.fill(trees, 0, size, null);
    }
    present = false;
    irregular = false;
    size = 0;
  }

  /** Whether the request lists candidates at all. */
  boolean present() {
    return present;
  }

  /**
   * Whether {@link #readEncoded} met what it does not understand, so that the elements are to be
   * read by {@link #read}.
   */
  boolean irregular() {
    return irregular;
  }

  /** How many elements there are. */
  int size() {
    return size;
  }

  /** Whether an element is an object that holds an id and nothing else. */
  boolean isId(int element) {
    return trees[element] == null && !isEncoded(element);
  }

  /** Whether an element is an object with a valid id and features that are encoded. */
  boolean isEncoded(int element) {
    return featuresTo[element] > 0;
  }

  /** The characters in which the ids lie. */
  char[] text() {
    return text;
  }

  /** Where an element's id begins. */
  int from(int element) {
    return element == 0 ? 0 : ends[element - 1];
  }

  /** How many characters an element's id has. */
  int length(int element) {
    return ends[element] - from(element);
  }

  /** An element's id, where it is no tree. */
  String id(int element) {
    return new String(text, from(element), length(element));
  }

  /** The encoded features of elements. */
  float[] rows() {
    return rows;
  }

  /** Where in the body an element's features begin. */
  int featuresFrom(int element) {
    return featuresFrom[element];
  }

  /** Where in the body an element's features end. */
  int featuresTo(int element) {
    return featuresTo[element];
  }

  /** An element as it was sent, without features that are encoded. */
  JsonNode tree(int element) {
    JsonNode tree = trees[element];
    return tree == null ? JsonNodeFactory.instance.objectNode().put("id", id(element)) : tree;
  }

  /** Reads the array at whose beginning a parser is. */
  void read(JsonParser parser) throws IOException {
    present = true;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      add(parser);
    }
  }

  /**
   * Reads the array at whose beginning a parser is, encoding features as they come.
   *
   * @param parser of a body in UTF-8
   */
  void readEncoded(JsonParser parser, FeatureEncoder encoder) throws IOException {
    present = true;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (irregular
          || size == Limits.STANDARD.candidates()
          || parser.currentToken() != JsonToken.START_OBJECT) {
        irregular = true;
        parser.skipChildren();
      } else {
        irregular = !addEncoded(parser, encoder);
      }
    }
  }

  /** Adds an object, and leaves the parser at its end; whether all of it was understood. */
  private boolean addEncoded(JsonParser parser, FeatureEncoder encoder) throws IOException {
    int length = -1;
    int from = 0;
    int to = 0;
    boolean right = true;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken first = parser.nextToken();
      if (length < 0 && first == JsonToken.VALUE_STRING && name.equals("id")) {
        length = put(parser);
      } else if (to == 0 && first == JsonToken.START_OBJECT && name.equals("features")) {
        from = (int) parser.currentTokenLocation().getByteOffset();
        right &= encoder.encode(parser, withRoom(encoder.width()), size * encoder.width());
        to = (int) parser.currentLocation().getByteOffset();
      } else {
        parser.skipChildren();
        right = false;
      }
    }
    if (!right || length < 0 || (to > 0 && !isForeignId(length))) {
      return false;
    }
    end(length, null, from, to);
    return true;
  }

  private boolean isForeignId(int length) {
    return JsonFields.isForeignId(new String(text, end(), length));
  }

  private float[] withRoom(int width) {
    int floats = (size + 1) * width;
    if (rows.length < floats) {
      rows = Arrays.copyOf(rows, Math.max(2 * rows.length, floats));
    }
    return rows;
  }

  private void add(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      end(0, JsonBody.value(parser), 0, 0);
      return;
    }
    if (parser.nextToken() != JsonToken.FIELD_NAME || !parser.currentName().equals("id")) {
      end(0, rest(parser, JsonNodeFactory.instance.objectNode()), 0, 0);
      return;
    }
    if (parser.nextToken() != JsonToken.VALUE_STRING) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      object.set("id", JsonBody.value(parser));
      parser.nextToken();
      end(0, rest(parser, object), 0, 0);
      return;
    }
    int length = put(parser);
    if (parser.nextToken() == JsonToken.END_OBJECT) {
      end(length, null, 0, 0);
      return;
    }
    String id = new String(text, end(), length);
    end(0, rest(parser, JsonNodeFactory.instance.objectNode().put("id", id)), 0, 0);
  }

  private static ObjectNode rest(JsonParser parser, ObjectNode object) throws IOException {
    JsonBody.addFields(parser, object);
    return object;
  }

  private int end() {
    return size == 0 ? 0 : ends[size - 1];
  }

  /** Puts a text behind the last id; how long it is. */
  private int put(JsonParser parser) throws IOException {
    int length = parser.getTextLength();
    if (text.length - end() < length) {
      text = Arrays.copyOf(text, Math.max(2 * text.length, end() + length));
    }
    System.arraycopy(parser.getTextCharacters(), parser.getTextOffset(), text, end(), length);
    return length;
  }

  /** Ends an element, which takes so many of the characters that were put last. */
  private void end(int length, @Nullable JsonNode tree, int from, int to) {
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 2 * size);
      trees = Arrays.copyOf(trees, 2 * size);
      featuresFrom = Arrays.copyOf(featuresFrom, 2 * size);
      featuresTo = Arrays.copyOf(featuresTo, 2 * size);
    }
    ends[size] = end() + length;
    featuresFrom[size] = from;
    featuresTo[size] = to;
    trees[size++] = tree;
  }
}
