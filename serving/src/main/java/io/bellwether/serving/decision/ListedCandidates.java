package io.bellwether.serving.decision;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.serving.request.JsonBody;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a request's {@code candidates} as they were sent. One that is only an id, which
 * most are, is kept as characters and costs no object of its own: {@code text[ends[i -
 * 1]..ends[i])} is the id of element {@code i}; any other is a tree. Memory that is used again for
 * every request of a thread; confined to it.
 */
final class ListedCandidates {

  private static final int INITIAL_CHARS = 2048;
  private static final int INITIAL_ELEMENTS = 128;

  /** What an exceptional request needed is not kept for all that follow. */
  private static final int MOST_KEPT_CHARS = 1 << 16;

  private boolean present;
  private int size;
  private char[] text = new char[INITIAL_CHARS];
  private int[] ends = new int[INITIAL_ELEMENTS];
  private @Nullable JsonNode[] trees = new JsonNode[INITIAL_ELEMENTS];

  /** Forgets the request before. */
  void clear() {
    if (text.length > MOST_KEPT_CHARS) {
      text = new char[INITIAL_CHARS];
      ends = new int[INITIAL_ELEMENTS];
      trees = new JsonNode[INITIAL_ELEMENTS];
    } else {
      Arrays.fill(trees, 0, size, null);
    }
    present = false;
    size = 0;
  }

  /** Whether the request lists candidates at all. */
  boolean present() {
    return present;
  }

  /** How many elements there are. */
  int size() {
    return size;
  }

  /** Whether an element is an object that holds an id and nothing else. */
  boolean isId(int element) {
    return trees[element] == null;
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

  /** An element's id, where it {@link #isId}. */
  String id(int element) {
    return new String(text, from(element), length(element));
  }

  /** An element as it was sent. */
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

  private void add(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      end(0, JsonBody.value(parser));
      return;
    }
    if (parser.nextToken() != JsonToken.FIELD_NAME || !parser.currentName().equals("id")) {
      end(0, rest(parser, JsonNodeFactory.instance.objectNode()));
      return;
    }
    if (parser.nextToken() != JsonToken.VALUE_STRING) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      object.set("id", JsonBody.value(parser));
      parser.nextToken();
      end(0, rest(parser, object));
      return;
    }
    int length = put(parser);
    if (parser.nextToken() == JsonToken.END_OBJECT) {
      end(length, null);
      return;
    }
    String id = new String(text, end(), length);
    end(0, rest(parser, JsonNodeFactory.instance.objectNode().put("id", id)));
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
  private void end(int length, @Nullable JsonNode tree) {
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 2 * size);
      trees = Arrays.copyOf(trees, 2 * size);
    }
    ends[size] = end() + length;
    trees[size++] = tree;
  }
}
