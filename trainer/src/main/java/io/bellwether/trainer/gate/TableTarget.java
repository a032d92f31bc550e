package io.bellwether.trainer.gate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A policy that ignores everything but the place: a fixed chance per item and place, read from a
 * CSV file with the columns {@code item_id,pos1,pos2,...}. The context feature {@code place} picks
 * the column; slates have one position. Chances are used as they stand, also where rounding made
 * their sum differ from 1.
 */
public final class TableTarget implements TargetPolicy {

  private static final long serialVersionUID = 1;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What rounding to five decimals can add up to over some hundred items. */
  private static final double SUM_TOLERANCE = 0.005;

  private final String name;
  private final String digest;
  private final ArrayList<String> places;
  private final HashMap<String, double[]> chances;

  private TableTarget(
      String name, String digest, List<String> places, Map<String, double[]> chances) {
    this.name = name;
    this.digest = digest;
    this.places = new ArrayList<>(places);
    this.chances = new HashMap<>(chances);
  }

  /**
   * Reads a table.
   *
   * @throws IllegalArgumentException when the file is not such a table, or a column's chances do
   *     not add up to about 1
   */
  public static TableTarget read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file, UTF_8);
    List<String> header = lines.isEmpty() ? List.of() : List.of(lines.get(0).split(",", -1));
    if (header.size() < 2 || !header.get(0).equals("item_id")) {
      throw new IllegalArgumentException(
          file + " begins with " + header + ", expected item_id,pos1,pos2,...");
    }
    Map<String, double[]> chances = new HashMap<>();
    double[] sums = new double[header.size() - 1];
    for (int i = 1; i < lines.size(); i++) {
      String[] fields = lines.get(i).split(",", -1);
      if (fields.length != header.size()) {
        throw refused(file, i, fields.length + " fields, expected " + header.size());
      }
      double[] row = new double[sums.length];
      for (int place = 0; place < row.length; place++) {
        row[place] = chance(fields[place + 1], file, i);
        sums[place] += row[place];
      }
      if (chances.put(fields[0], row) != null) {
        throw refused(file, i, "item " + fields[0] + " a second time");
      }
    }
    for (double sum : sums) {
      if (!(Math.abs(sum - 1) <= SUM_TOLERANCE)) {
        throw new IllegalArgumentException(
            file + ": the columns add up to " + Arrays.toString(sums) + ", expected about 1 each");
      }
    }
    return new TableTarget(
        String.valueOf(file.getFileName()),
        sha256(lines),
        header.subList(1, header.size()),
        chances);
  }

  private static String sha256(List<String> lines) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(String.join("\n", lines).getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static double chance(String text, Path file, int line) {
    try {
      double chance = Double.parseDouble(text);
      if (chance >= 0 && chance <= 1) {
        return chance;
      }
    } catch (NumberFormatException e) {
      // refused below, with what would be right
    }
    throw refused(file, line, "'" + text + "', expected a number from 0 to 1");
  }

  private static IllegalArgumentException refused(Path file, int line, String found) {
    return new IllegalArgumentException(file + ", line " + (line + 1) + ": found " + found);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String digest() {
    return digest;
  }

  @Override
  public boolean isRounded() {
    return true;
  }

  @Override
  public List<double[]> chances(List<EvaluatedDecision> decisions) {
    List<double[]> result = new ArrayList<>(decisions.size());
    decisions.forEach(decision -> result.add(chances(decision)));
    return result;
  }

  private double[] chances(EvaluatedDecision decision) {
    String placed = placeOf(decision);
    if (placed.isEmpty()) {
      throw new TargetRefused(
          TargetRefused.FEATURE_MISSING,
          "%s is a table by the context feature place, which decision %s does not have"
              .formatted(name, decision.id()));
    }
    int place = places.indexOf("pos" + placed);
    if (place < 0 || decision.slate().length != 1) {
      throw new TargetRefused(
          TargetRefused.DOES_NOT_FIT,
          "%s is a table for slates of one item at places %s; decision %s has %d items at place '%s'"
              .formatted(name, places, decision.id(), decision.slate().length, placed));
    }
    double[] row = new double[decision.candidateIds().size()];
    for (int i = 0; i < row.length; i++) {
      double[] ofItem = chances.get(decision.candidateIds().get(i));
      if (ofItem == null) {
        throw new TargetRefused(
            TargetRefused.ITEM_MISSING,
            "%s has no row for item %s of decision %s"
                .formatted(name, decision.candidateIds().get(i), decision.id()));
      }
      row[i] = ofItem[place];
    }
    return row;
  }

  private static String placeOf(EvaluatedDecision decision) {
    try {
      return JSON.readTree(decision.rawContext()).path("place").asText();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the context of " + decision.id() + " is not JSON", e);
    }
  }

  @Override
  public void close() {}
}
