package io.bellwether.ingestion.surface;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A value of a YAML file that knows where it stands. The accessors assume what {@link Shape#check}
 * has made sure of.
 *
 * @param path for instance {@code signals[2].window}; empty for the whole file
 */
public record Located(Node node, String path) {

  public int line() {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }

  public boolean isText() {
    return node instanceof ScalarNode;
  }

  /** The scalar as it was written, without quotes. */
  public String text() {
    return ((ScalarNode) node).getValue();
  }

  public double number() {
    return Double.parseDouble(text());
  }

  public boolean isMap() {
    return node instanceof MappingNode;
  }

  public boolean isList() {
    return node instanceof SequenceNode;
  }

  public List<Located> elements() {
    List<Located> elements = new ArrayList<>();
    List<Node> nodes = ((SequenceNode) node).getValue();
    for (int i = 0; i < nodes.size(); i++) {
      elements.add(new Located(nodes.get(i), path + "[" + i + "]"));
    }
    return elements;
  }

  /** Keys in the order of the file, duplicates included. */
  public List<Located> keys() {
    List<Located> keys = new ArrayList<>();
    for (NodeTuple tuple : ((MappingNode) node).getValue()) {
      keys.add(new Located(tuple.getKeyNode(), path));
    }
    return keys;
  }

  public Optional<Located> get(String key) {
    for (NodeTuple tuple : ((MappingNode) node).getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode scalar && scalar.getValue().equals(key)) {
        String here = path.isEmpty() ? key : path + "." + key;
        return Optional.of(new Located(tuple.getValueNode(), here));
      }
    }
    return Optional.empty();
  }

  public Located required(String key) {
    return get(key).orElseThrow();
  }

  /** What stands here, short enough for a message. */
  public String found() {
    if (isMap()) {
      return "a map";
    }
    if (isList()) {
      return "a list of " + elements().size();
    }
    String text = text();
    return text.isEmpty()
        ? "nothing"
        : "'" + (text.length() <= 60 ? text : text.substring(0, 60) + "...") + "'";
  }
}
