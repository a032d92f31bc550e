package io.bellwether.trainer.report;

/** What a Reward Report says that no program can know. */
public enum HumanField {
  OWNER("owner", "who answers for this policy, and how to reach them"),
  RESOURCES("resources", "what people and machines it takes to run it"),
  PURPOSE("purpose", "why this objective, and what it stands for"),
  FAILURE_MODES("failureModes", "what could go wrong for people, and how one would notice"),
  DEPLOYMENT("deployment", "who puts it into use, and under which rules"),
  STAKEHOLDERS("stakeholders", "who is affected, and who was asked"),
  RECOURSE("recourse", "what somebody can do who is treated badly by it"),
  ASSUMPTIONS("assumptions", "what has to be true for the measurements to mean what they say"),
  CADENCE("cadence", "how often it is trained and reviewed"),
  TRIGGERS("triggers", "what makes somebody take it back or look again");

  private final String key;
  private final String question;

  HumanField(String key, String question) {
    this.key = key;
    this.question = question;
  }

  /** As the file of answers writes it. */
  public String key() {
    return key;
  }

  /** What is to be answered. */
  public String question() {
    return question;
  }
}
