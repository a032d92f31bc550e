package io.bellwether.trainer.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** What every page has around its content: one file that loads nothing and runs nothing. */
final class PageFrame {

  private PageFrame() {}

  /** The page, UTF-8. */
  static byte[] around(String title, Html body) {
    String page =
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
            + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
            + "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>"
            + Html.escaped(title)
            + "</title>\n<style>\n"
            + style()
            + "</style></head><body>\n"
            + body
            + "</body></html>\n";
    return page.getBytes(UTF_8);
  }

  private static String style() {
    try (InputStream style =
        Objects.requireNonNull(PageFrame.class.getResourceAsStream("page.css"))) {
      return new String(style.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the style of pages cannot be read", e);
    }
  }
}
