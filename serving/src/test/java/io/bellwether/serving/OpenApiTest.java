package io.bellwether.serving;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The document is written by hand; here it is held to the resources. */
class OpenApiTest {

  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  @Test
  void theDocumentDescribesTheResourcesAndNothingElse() throws Exception {
    assertEquals(implemented(), documented());
  }

  private static Set<String> documented() throws Exception {
    Set<String> operations = new TreeSet<>();
    try (InputStream yaml = OpenApiTest.class.getResourceAsStream("/META-INF/openapi.yaml")) {
      Map<?, ?> document =
          (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromInputStream(yaml);
      requireNonNull((Map<?, ?>) document.get("paths"))
          .forEach(
              (path, item) ->
                  ((Map<?, ?>) item)
                      .keySet().stream()
                          .filter(METHODS::contains)
                          .forEach(method -> operations.add(method + " " + path)));
    }
    return operations;
  }

  private static Set<String> implemented() {
    Set<String> operations = new TreeSet<>();
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.bellwether.serving")) {
      if (type.isAnnotatedWith(Path.class)) {
        addOperations(type.reflect(), operations);
      }
    }
    return operations;
  }

  private static void addOperations(Class<?> resource, Set<String> operations) {
    String root = resource.getAnnotation(Path.class).value();
    for (Method method : resource.getDeclaredMethods()) {
      for (Annotation annotation : method.getAnnotations()) {
        HttpMethod verb = annotation.annotationType().getAnnotation(HttpMethod.class);
        if (verb != null) {
          Path path = method.getAnnotation(Path.class);
          operations.add(
              verb.value().toLowerCase(Locale.ROOT)
                  + " "
                  + root
                  + (path == null ? "" : "/" + path.value()));
        }
      }
    }
  }
}
