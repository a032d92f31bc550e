package io.bellwether.trainer.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class CsvRecordsTest {

  @Test
  void fieldsMayBeQuotedAsAWhole() throws IOException {
    List<CsvRecords.Row> rows = rows("a,\"b,c\",\"say \"\"hi\"\"\"\n\"two\nlines\",,x\n");
    assertEquals(List.of("a", "b,c", "say \"hi\""), rows.get(0).fields());
    assertEquals(List.of("two\nlines", "", "x"), rows.get(1).fields());
    assertEquals(2, rows.get(1).line());
  }

  @Test
  void aQuoteThatIsNotClosedCostsItsLineAlone() throws IOException {
    List<CsvRecords.Row> rows = rows("a,\"b\nc,d\ne,f\n");
    assertEquals(3, rows.size());
    assertEquals("opens a quote in field 2 that is not closed", rows.get(0).problem());
    assertEquals(List.of("c", "d"), rows.get(1).fields());
    assertEquals(List.of("e", "f"), rows.get(2).fields());
  }

  @Test
  void aQuoteInTheMiddleOfAFieldIsRefused() throws IOException {
    List<CsvRecords.Row> rows = rows("a,b\"c\n\"x\"y,z\nfine,\n");
    assertTrue(String.valueOf(rows.get(0).problem()).startsWith("has a quote in the middle"));
    assertTrue(String.valueOf(rows.get(1).problem()).startsWith("has a quote in the middle"));
    assertEquals(List.of("fine", ""), rows.get(2).fields());
  }

  @Test
  void aThousandOpenQuotesLoseNoLineBehindThem() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      text.append("\"open,").append(i).append('\n').append("fine,").append(i).append('\n');
    }
    List<CsvRecords.Row> rows = rows(text.toString());
    for (int i = 1; i < rows.size(); i++) {
      assertTrue(rows.get(i).line() > rows.get(i - 1).line());
    }
    assertEquals("fine,999", rows.get(rows.size() - 1).text());
  }

  @Property(tries = 200)
  void whatIsQuotedByTheRulesComesBack(
      @ForAll @Size(min = 2, max = 5) List<@StringLength(max = 12) String> given)
      throws IOException {
    List<String> fields = given.stream().map(f -> f.replaceAll("[\\r\\x00\\p{Cs}]", "\"")).toList();
    String line =
        String.join(",", fields.stream().map(f -> "\"" + f.replace("\"", "\"\"") + "\"").toList());
    List<CsvRecords.Row> rows = rows(line + "\nnext,row\n");
    assertNull(rows.get(0).problem());
    assertEquals(fields, rows.get(0).fields());
    assertEquals(List.of("next", "row"), rows.get(1).fields());
  }

  private static List<CsvRecords.Row> rows(String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    List<CsvRecords.Row> rows = new ArrayList<>();
    try (CsvRecords records =
        new CsvRecords(Lines.of("log", new ByteArrayInputStream(bytes), bytes.length, 1000), ',')) {
      for (CsvRecords.Row row = records.next(); row != null; row = records.next()) {
        rows.add(row);
      }
    }
    return rows;
  }
}
