package io.bellwether.trainer.exports;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.imports.vw.DsjsonExport;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/** A file with one line of text per transition, gzipped where its name says so. */
final class TextFile implements ExportFile {

  /** How a transition becomes a line. */
  interface Form {
    /** The line, or the reason why there is none. */
    DsjsonExport.Exported line(Transition transition);
  }

  private final Form form;
  private final BufferedWriter out;

  TextFile(Path file, boolean zipped, Form form) throws IOException {
    this.form = form;
    OutputStream bytes = Files.newOutputStream(file);
    this.out =
        new BufferedWriter(
            new OutputStreamWriter(zipped ? new GZIPOutputStream(bytes, 1 << 16) : bytes, UTF_8));
  }

  /** VW's format. */
  static Form dsjson(Surface surface) {
    return new DsjsonExport(surface)::export;
  }

  /** One object a line, see {@link LoggedJson}. */
  static Form jsonLines(Surface surface) {
    LoggedJson json = new LoggedJson(surface);
    return transition -> new DsjsonExport.Line(json.of(transition).toString());
  }

  @Override
  public Optional<String> write(Transition transition) throws IOException {
    DsjsonExport.Exported exported = form.line(transition);
    if (exported instanceof DsjsonExport.LeftOut leftOut) {
      return Optional.of(leftOut.reason());
    }
    out.write(((DsjsonExport.Line) exported).json());
    out.write('\n');
    return Optional.empty();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
