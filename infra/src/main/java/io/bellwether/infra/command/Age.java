package io.bellwether.infra.command;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A length of time that an option gives, such as {@code 90d} or {@code 2h}. */
final class Age {
  private static final Pattern FORM = Pattern.compile("(\\d{1,6})([smhd])");

  private Age() {}

  /** The length; refuses what is none. */
  static Duration of(String option, String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw CommandFailed.wrongInput(
          option + " '" + text + "' is no length of time.",
          "Give a number and s, m, h or d, such as 90d.");
    }
    long count = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }
}
