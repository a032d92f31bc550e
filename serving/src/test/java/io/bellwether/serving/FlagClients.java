package io.bellwether.serving;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.openfeature.sdk.Client;
import dev.openfeature.sdk.FeatureProvider;
import dev.openfeature.sdk.OpenFeatureAPI;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * OpenFeature clients with the providers of {@code examples/openfeature}, as products would have
 * them: the Java ones compiled from their source, the JavaScript ones under node.
 */
public final class FlagClients implements AutoCloseable {

  private static final Path EXAMPLES = Path.of("..", "examples", "openfeature");
  private static final String PROVIDER = "io.bellwether.openfeature.BellwetherProvider";

  private final URI root;
  private final URLClassLoader classes;
  private final AtomicInteger domains = new AtomicInteger();

  /**
   * A client, and the provider behind it.
   *
   * @param provider that knows what tracking is
   */
  public record JavaClient(Client client, FeatureProvider provider) {

    /** Waits until what was tracked has been sent. */
    public void flush() throws ReflectiveOperationException {
      provider.getClass().getMethod("flush").invoke(provider);
    }
  }

  public FlagClients(URI root) throws Exception {
    this.root = root;
    Path compiled = Files.createDirectories(Path.of("target", "openfeature-java"));
    compile(compiled);
    classes =
        new URLClassLoader(
            new URL[] {compiled.toUri().toURL()}, FlagClients.class.getClassLoader());
  }

  /** A client with a provider of its own. */
  public JavaClient java(String apiKey) throws Exception {
    String base = root.toString().replaceAll("/$", "");
    FeatureProvider provider =
        (FeatureProvider)
            classes
                .loadClass(PROVIDER)
                .getConstructor(URI.class, String.class)
                .newInstance(URI.create(base), apiKey);
    OpenFeatureAPI api = OpenFeatureAPI.getInstance();
    String domain = "java-" + domains.incrementAndGet();
    api.setProviderAndWait(domain, provider);
    return new JavaClient(api.getClient(domain), provider);
  }

  /** What the JavaScript providers see, as JSON; skips the test where there is no node. */
  public String javaScript(String mode, String apiKey) throws Exception {
    return NodeProject.of("openfeature-js", EXAMPLES.resolve("js"), Path.of("src", "test", "js"))
        .node("acceptance.mjs", mode, root.toString().replaceAll("/$", ""), apiKey);
  }

  /** The same, in the background. */
  public Future<String> javaScriptSoon(String mode, String apiKey) {
    FutureTask<String> run = new FutureTask<>(() -> javaScript(mode, apiKey));
    new Thread(run, "javascript").start();
    return run;
  }

  @Override
  public void close() throws Exception {
    OpenFeatureAPI.getInstance().shutdown();
    classes.close();
  }

  private static void compile(Path to) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8);
        Stream<Path> sources = Files.walk(EXAMPLES.resolve("java"))) {
      List<String> options =
          List.of(
              "--release",
              "17",
              "-proc:none",
              "-Xlint:all,-classfile",
              "-Werror",
              "-cp",
              System.getProperty("java.class.path"),
              "-d",
              to.toString());
      List<Path> java = sources.filter(file -> file.toString().endsWith(".java")).toList();
      boolean compiled =
          compiler
              .getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(java))
              .call();
      if (!compiled) {
        throw new IllegalStateException("the Java example does not compile");
      }
    }
  }
}
