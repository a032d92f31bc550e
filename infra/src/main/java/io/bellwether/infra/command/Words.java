package io.bellwether.infra.command;

import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.job.TrainingMethod;
import io.bellwether.trainer.network.HistoryForm;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Words on the command line that stand for something of the modules. */
final class Words {
  private Words() {}

  /** Teaches a command and its verbs to read them. */
  static void register(CommandLine root) {
    root.registerConverter(Alias.class, converter(Alias::of));
    root.registerConverter(VersionId.class, converter(VersionId::new));
    root.registerConverter(TrainingMethod.class, converter(TrainingMethod::of));
    root.registerConverter(HistoryForm.class, converter(HistoryForm::of));
    root.registerConverter(Instant.class, Words::time);
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "'" + text + "' is no time; give one such as 2026-11-30T08:00:00Z");
    }
  }

  /** A word that is refused is wrong usage, and the refusal says what would be right. */
  private static <T> ITypeConverter<T> converter(Function<String, T> read) {
    return text -> {
      try {
        return read.apply(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    };
  }
}
