package io.bellwether.trainer.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.scoring.CounterRandom;
import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TreePolicyTest {

  @Property(tries = 60)
  void everyItemStandsBelowExactlyOneNodeOfEachLevel(
      @ForAll @IntRange(min = 1, max = 400) int items, @ForAll @IntRange(min = 2, max = 10) int c) {
    ItemTree tree = new ItemTree(c, IntStream.range(0, items).toArray());
    for (int level = 0; level <= tree.depth(); level++) {
      int next = 0;
      for (long node = 0; node < tree.width(level); node++) {
        assertEquals(next, tree.from(level, node));
        next = tree.to(level, node);
        for (int position = tree.from(level, node); position < next; position++) {
          assertEquals(node, tree.nodeAbove(level, position));
        }
      }
      assertEquals(items, next);
    }
  }

  @Property(tries = 60)
  void chancesSumToOneAndAClosedItemHasNone(
      @ForAll @IntRange(min = 2, max = 300) int items,
      @ForAll @IntRange(min = 2, max = 10) int c,
      @ForAll @IntRange(min = 0, max = 1000) int seed) {
    ItemTree tree = new ItemTree(c, IntStream.range(0, items).toArray());
    NodeScores scores = id -> CounterRandom.normal(seed, 1, id, 0, 0);
    int[] closed =
        IntStream.range(0, items)
            .filter(item -> item > 0 && CounterRandom.uniform(seed, 2, item, 0, 0) < 0.4)
            .toArray();
    OpenItems open = OpenItems.allBut(tree, closed);
    TreePolicy policy = new TreePolicy(tree);
    double[] chances = policy.chances(scores, open);
    assertEquals(1, Arrays.stream(chances).sum(), 1e-12);
    for (int item : closed) {
      assertEquals(0, chances[item]);
      assertEquals(Double.NEGATIVE_INFINITY, policy.logChance(item, scores, open));
    }
    assertEquals(items - closed.length, Arrays.stream(chances).filter(each -> each > 0).count());
    assertEquals(Math.log(chances[0]), policy.logChance(0, scores, open), 1e-9);
  }

  @Test
  void nodesThatScoreTheLogSumOfTheirItemsChooseLikeTheFlatSoftmax() {
    ItemTree tree = new ItemTree(3, IntStream.range(0, 27).toArray());
    double[] logits = IntStream.range(0, 27).mapToDouble(i -> normal(i)).toArray();
    double[] scores = new double[tree.nodes()];
    for (int level = 0; level <= tree.depth(); level++) {
      for (long node = 0; node < tree.width(level); node++) {
        double sum = 0;
        for (int position = tree.from(level, node); position < tree.to(level, node); position++) {
          sum += Math.exp(logits[tree.item(position)]);
        }
        scores[tree.id(level, node)] = Math.log(sum);
      }
    }
    double total = Arrays.stream(logits).map(Math::exp).sum();
    assertArrayEquals(
        Arrays.stream(logits).map(logit -> Math.exp(logit) / total).toArray(),
        new TreePolicy(tree).chances(id -> scores[id], OpenItems.all(tree)),
        1e-15);
  }

  @Test
  void aThousandItemsInTensAreThreeLevelsOfAHundredAndElevenNodes() {
    ItemTree tree = new ItemTree(10, IntStream.range(0, 1000).toArray());
    assertEquals(3, tree.depth());
    assertEquals(111, tree.innerNodes());
    assertEquals(1111, tree.nodes());
  }

  @Test
  void aWideSearchFindsTheLikeliestItemsInTheirOrder() {
    ItemTree tree = new ItemTree(4, IntStream.range(0, 50).toArray());
    NodeScores scores = id -> normal(id);
    OpenItems open = OpenItems.allBut(tree, 7, 8, 7);
    TreePolicy policy = new TreePolicy(tree);
    TreePolicy.Found found = policy.search(scores, open, 1000, 10);
    double[] chances = policy.chances(scores, open);
    int[] wanted =
        IntStream.range(0, 50)
            .boxed()
            .sorted((a, b) -> Double.compare(chances[b], chances[a]))
            .limit(10)
            .mapToInt(i -> i)
            .toArray();
    assertArrayEquals(wanted, found.items());
    assertEquals(chances[wanted[0]], Math.exp(found.logChances()[0]), 1e-12);
    assertThrows(IllegalArgumentException.class, () -> policy.search(scores, open, 0, 10));
  }

  @Test
  void aMillionItemsAreSearchedWithFewerThanFourHundredEvaluations() {
    ItemTree tree = new ItemTree(10, IntStream.range(0, 1_000_000).toArray());
    assertEquals(6, tree.depth());
    assertEquals(111_111, tree.innerNodes());
    TreePolicy.Found found =
        new TreePolicy(tree).search(TreePolicyTest::normal, OpenItems.all(tree), 7, 100);
    assertEquals(10 + 5 * 70, found.evaluations());
    assertEquals(70, found.items().length);
  }

  @Test
  void everyItemOfABuiltTreeStandsSomewhere() {
    int items = 54_321;
    float[] vectors = new float[items * 4];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = (float) CounterRandom.uniform(1, 3, i, 0, 0);
    }
    ItemTree tree = PrincipalSplit.build(vectors, 4, 10, 5);
    boolean[] seen = new boolean[items];
    for (int position = 0; position < items; position++) {
      assertEquals(position, tree.position(tree.item(position)));
      seen[tree.item(position)] = true;
    }
    assertTrue(IntStream.range(0, items).allMatch(item -> seen[item]));
  }

  @Test
  void alikeItemsStandTogether() {
    int items = 1000;
    float[] vectors = new float[items * 2];
    for (int item = 0; item < items; item++) {
      int group = item % 10;
      vectors[2 * item] = (float) (10 * Math.cos(group) + 0.1 * normal(item));
      vectors[2 * item + 1] = (float) (10 * Math.sin(group) + 0.1 * normal(item + items));
    }
    ItemTree tree = PrincipalSplit.build(vectors, 2, 10, 5);
    int mixed = 0;
    for (long node = 0; node < 10; node++) {
      for (int position = tree.from(1, node); position < tree.to(1, node); position++) {
        mixed += tree.item(position) % 10 == tree.item(tree.from(1, node)) % 10 ? 0 : 1;
      }
    }
    assertEquals(0, mixed);
    ItemTree again = PrincipalSplit.build(vectors, 2, 10, 5);
    assertTrue(IntStream.range(0, items).allMatch(i -> tree.item(i) == again.item(i)));
  }

  @Test
  void vectorsThatAreNoNumbersAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> PrincipalSplit.build(new float[] {1, Float.NaN}, 1, 10, 5));
    ItemTree equal = PrincipalSplit.build(new float[300], 1, 10, 5);
    assertEquals(3, equal.depth());
  }

  private static double normal(int i) {
    return CounterRandom.normal(9, 9, i, 0, 0);
  }
}
