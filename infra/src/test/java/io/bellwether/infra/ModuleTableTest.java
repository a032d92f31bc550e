package io.bellwether.infra;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The module table of DESIGN.md. Serving is not on this class path, because its libraries and the
 * trainer's do not go together: a test of its own holds its row.
 */
@AnalyzeClasses(packages = "io.bellwether", importOptions = DoNotIncludeTests.class)
class ModuleTableTest {

  @ArchTest static final ArchRule ingestionUsesNothingOfOurs = module("ingestion");

  @ArchTest static final ArchRule policyStoreUsesNothingOfOurs = module("policy");

  @ArchTest static final ArchRule evaluationUsesNothingOfOurs = module("evaluation");

  /** What writes a state into bytes and reads it again. */
  private static final Class<?>[] IN_MEMORY = {
    ByteArrayInputStream.class,
    ByteArrayOutputStream.class,
    DataInput.class,
    DataInputStream.class,
    DataOutput.class,
    DataOutputStream.class,
    InputStream.class,
    OutputStream.class,
    IOException.class,
    UncheckedIOException.class
  };

  @ArchTest
  static final ArchRule evaluationIsPureMathematics =
      noClasses()
          .that()
          .resideInAPackage("io.bellwether.evaluation..")
          .should()
          .dependOnClassesThat(
              not(
                  resideInAnyPackage(
                          "io.bellwether.evaluation..",
                          "java.lang..",
                          "java.math..",
                          "java.util..",
                          "java.time..",
                          "java.nio",
                          "org.jspecify.annotations")
                      .or(belongToAnyOf(IN_MEMORY))))
          .as("evaluation uses the JDK only: buffers and forms of data, but no files or sockets");

  @ArchTest
  static final ArchRule trainerUsesTheEarlierModules =
      module("trainer", "ingestion", "policy", "evaluation");

  @ArchTest
  static final ArchRule loadtestUsesTheTrainerAndWhatThatUses =
      module("loadtest", "trainer", "ingestion", "policy", "evaluation");

  @ArchTest
  static final ArchRule namesSayWhatAThingIs =
      noClasses()
          .should()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Helper")
          .orShould()
          .haveSimpleNameEndingWith("Manager")
          .orShould()
          .haveSimpleNameEndingWith("Impl")
          .orShould()
          .haveSimpleNameStartingWith("Abstract")
          .orShould()
          .haveNameMatching(".*\\.Base[A-Z]\\w*");

  /** A module's classes may use only classes of these modules, of their own, and of others. */
  private static ArchRule module(String name, String... uses) {
    List<String> allowed = new ArrayList<>(List.of(packages(name)));
    for (String module : uses) {
      allowed.add(packages(module));
    }
    return classes()
        .that()
        .resideInAPackage(packages(name))
        .should()
        .onlyDependOnClassesThat(
            not(resideInAPackage("io.bellwether.."))
                .or(resideInAnyPackage(allowed.toArray(String[]::new))))
        .as(name + " may use only " + List.of(uses))
        .allowEmptyShould(true);
  }

  private static String packages(String module) {
    return "io.bellwether." + module + "..";
  }
}
