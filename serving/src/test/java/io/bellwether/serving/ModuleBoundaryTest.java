package io.bellwether.serving;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ModuleBoundaryTest {

  private static final String INGESTION = "io.bellwether.ingestion.";
  private static final Set<String> CONTRACT =
      Set.of(INGESTION + "surface", INGESTION + "event", INGESTION + "feature");

  /**
   * How numbers are laid out in their events, and whom an erasure covers; the rest is the job's.
   */
  private static final Set<String> SINGLE_CLASSES =
      Set.of(
          INGESTION + "metrics.LogBuckets",
          INGESTION + "metrics.UnitColumns",
          INGESTION + "erasure.ErasedSubjects");

  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.bellwether.serving");

  @Test
  void onlyTheContractOfIngestionIsUsed() {
    noClasses()
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are ingestion's and not its contract",
                (JavaClass used) ->
                    used.getPackageName().startsWith(INGESTION)
                        && !CONTRACT.contains(used.getPackageName())
                        && !SINGLE_CLASSES.contains(used.getName())))
        .check(classes);
  }

  @Test
  void otherModulesAreNotUsed() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.bellwether.trainer..",
            "io.bellwether.loadtest..",
            "io.bellwether.infra..",
            "org.apache.flink..")
        .check(classes);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.bellwether.serving.(*)..").should().beFreeOfCycles().check(classes);
  }
}
