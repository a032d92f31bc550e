package io.bellwether.trainer.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SubjectsTest {

  private static final int SUBJECTS = 2000;

  @Test
  void whomNeitherHasSeenIsWhomBothKeptApart() {
    Subjects many = Subjects.heldOut(0.5);
    Subjects few = Subjects.heldOut(0.2);
    int both = 0;
    for (int i = 0; i < SUBJECTS; i++) {
      String subject = "s" + i;
      boolean kept = many.include(subject) && few.include(subject);
      assertEquals(kept, many.and(few).include(subject));
      assertEquals(kept, few.and(many).include(subject));
      assertFalse(Subjects.training(0.2).include(subject) && kept);
      both += kept ? 1 : 0;
    }
    assertEquals(0.2, (double) both / SUBJECTS, 0.04);
  }

  @Test
  void aPolicyThatLearnedFromNobodyIsJudgedByWhomTheOtherHasNotSeen() {
    assertEquals(Subjects.heldOut(0.2), Subjects.all().and(Subjects.heldOut(0.2)));
    assertEquals(Subjects.heldOut(0.2), Subjects.heldOut(0.2).and(Subjects.all()));
  }

  @Test
  void wherePoliciesKeptNobodyApartThereIsNobodyToChoose() {
    Subjects seen = new Subjects(Subjects.Part.SEEN, 0);
    assertEquals(Subjects.heldOut(0.2), Subjects.heldOut(0.2).and(seen));
    assertTrue(seen.and(Subjects.heldOut(0.2)).maySeeTraining());
  }
}
