package io.bellwether.ingestion.surface;

import java.nio.charset.StandardCharsets;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** The one document of a YAML file, whose values know where they stand. */
public final class YamlDocument {

  private YamlDocument() {}

  /** A file that is no YAML, with the place and the reason. */
  public static final class NoYaml extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    NoYaml(Problem problem) {
      super(problem.toString(), null, false, false);
      this.problem = problem;
    }

    public Problem problem() {
      return problem;
    }
  }

  /**
   * The root of the document.
   *
   * @param what it must be, for instance {@code "a mapping"}
   */
  public static Located root(byte[] yaml, String what) throws NoYaml {
    try {
      return new Compose(LoadSettings.builder().build())
          .composeString(new String(yaml, StandardCharsets.UTF_8))
          .map(node -> new Located(node, ""))
          .orElseThrow(() -> new NoYaml(new Problem(1, "(file)", "nothing", what)));
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw noYaml(line, e.getProblem());
    } catch (YamlEngineException e) {
      throw noYaml(1, String.valueOf(e.getMessage()));
    }
  }

  private static NoYaml noYaml(int line, String why) {
    String right = "one YAML document: a space after each colon, brackets closed, no tabs";
    return new NoYaml(new Problem(line, "(file)", "no YAML (" + why + ")", right));
  }
}
