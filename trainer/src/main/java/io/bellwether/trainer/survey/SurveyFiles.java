package io.bellwether.trainer.survey;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a survey leaves in the folder of its run: {@code sample.bin}, {@code contested.bin} and,
 * written last and as a whole, {@code survey.json}.
 *
 * @param folder of the run
 */
public record SurveyFiles(Path folder) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SURVEY = "survey.json";
  private static final String SAMPLE = "sample.bin";

  /** Which decisions have more than one transition. */
  public Path contested() {
    return folder.resolve("contested.bin");
  }

  void writeSample(List<SubjectSample.Sampled> sample) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(Files.newOutputStream(folder.resolve(SAMPLE))))) {
      out.writeInt(sample.size());
      for (SubjectSample.Sampled each : sample) {
        each.write(out);
      }
    }
  }

  /** In the order of subjects, decisions and then from the highest revision down. */
  public List<SubjectSample.Sampled> sample() throws IOException {
    try (DataInputStream in =
        new DataInputStream(
            new BufferedInputStream(Files.newInputStream(folder.resolve(SAMPLE))))) {
      int size = in.readInt();
      List<SubjectSample.Sampled> sample = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        sample.add(SubjectSample.Sampled.read(in));
      }
      return sample;
    }
  }

  void write(Survey survey) throws IOException {
    Path unfinished = folder.resolve(SURVEY + ".part");
    Files.write(unfinished, JSON.writeValueAsBytes(survey.toJson()));
    Files.move(unfinished, folder.resolve(SURVEY), REPLACE_EXISTING, ATOMIC_MOVE);
  }

  /** Empty where the survey is not finished. */
  public Optional<Survey> survey() throws IOException {
    Path file = folder.resolve(SURVEY);
    return Files.exists(file)
        ? Optional.of(Survey.fromJson(JSON.readTree(file.toFile())))
        : Optional.empty();
  }
}
