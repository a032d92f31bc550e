package io.bellwether.serving.retrieval;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.feature.Violation;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.item.CatalogueFixture;
import io.bellwether.serving.item.ItemTable;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ItemFilterTest {

  private static final int ITEMS = 700;

  private final ItemTable table = Shop.catalogue(ITEMS).items(Shop.surface());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'brand':'a'}                          | 70
          {'brand':{'in':['a','c']}}             | 70
          {'brand':'c'}                          | 0
          {'price':{'min':10,'max':19}}          | 10
          {'price':{'max':4.5}}                  | 5
          {'price':7}                            | 1
          {'sale':true}                          | 350
          {'tags':'t3'}                          | 100
          {'tags':'u'}                           | 700
          {'brand':'a','price':{'min':600},'sale':true} | 10
          {}                                     | 700
          """)
  void findsTheItemsThatMeetEveryCondition(String filter, int expected) {
    ItemFilter read = read(filter);
    assertEquals(expected, Matches.of(table, read.conditions(), null).count());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'colour':'red'}            | #/filter/colour
          {'brand':1}                 | #/filter/brand
          {'brand':{'in':[]}}         | #/filter/brand
          {'brand':{'in':['a',2]}}    | #/filter/brand/in/1
          {'price':'cheap'}           | #/filter/price
          {'price':{}}                | #/filter/price
          {'price':{'min':'1'}}       | #/filter/price/min
          {'price':{'min':2,'max':1}} | #/filter/price/min
          {'price':{'least':1}}       | #/filter/price/least
          {'sale':1}                  | #/filter/sale
          {'place':[0,1]}             | #/filter/place
          7                           | #/filter
          """)
  void refusesWhatIsNoConditionAndSaysWhere(String filter, String pointer) {
    JsonFields request = request(filter);
    ItemFilter.read(Shop.surface(), request);
    assertEquals(List.of(pointer), request.violations().stream().map(Violation::pointer).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'price':{'max':0.1}}              | 1
          {'price':{'min':0.7,'max':0.75}}   | 1
          {'price':0.7}                      | 1
          {'price':{'min':0.11,'max':0.69}}  | 0
          """)
  void boundsAreMetByEqualityAlsoWhereNumbersAreRounded(String filter, int expected) {
    Catalogue fractions =
        CatalogueFixture.of(
            Shop.SURFACES,
            Map.of(
                "shop/low", "{'features':{'price':0.1}}",
                "shop/high", "{'features':{'price':0.7}}"));
    ItemTable items = fractions.items(Shop.surface());
    assertEquals(expected, Matches.of(items, read(filter).conditions(), null).count());
  }

  @Test
  void aRequestWithoutFilterHasNone() {
    JsonFields request = JsonFields.ofRequest(JsonBody.parse("{}".getBytes(UTF_8), 100));
    assertSame(ItemFilter.NONE, ItemFilter.read(Shop.surface(), request));
  }

  @Test
  void anItemWithoutTheFeatureMeetsNoConditionOnIt() {
    Catalogue catalogue = CatalogueFixture.of(Shop.SURFACES, Map.of("shop/x", "{}"));
    ItemTable bare = catalogue.items(Shop.surface());
    for (String filter : List.of("{'price':{'max':9}}", "{'brand':'a'}", "{'tags':'u'}")) {
      assertEquals(0, Matches.of(bare, read(filter).conditions(), null).count());
    }
    assertEquals(1, Matches.of(bare, read("{'sale':false}").conditions(), null).count());
  }

  @Test
  void matchesAreNumberedInTheOrderOfRows() {
    for (String filter : List.of("{}", "{'brand':'a'}", "{'price':{'min':600}}", "{'tags':'t5'}")) {
      Matches matches = Matches.of(table, read(filter).conditions(), null);
      int[] rows = IntStream.range(0, ITEMS).filter(matches::has).toArray();
      assertEquals(rows.length, matches.count());
      for (int number = 0; number < rows.length; number++) {
        assertEquals(rows[number], matches.row(number));
      }
    }
  }

  @Test
  void aLaterTablesMatchesEqualThoseFoundAnew() {
    ItemFilter filter = read("{'sale':true}");
    Catalogue catalogue = Shop.catalogue(ITEMS);
    Matches before = Matches.of(catalogue.items(Shop.surface()), filter.conditions(), null);
    CatalogueFixture.put(catalogue, "shop/5", "{'features':{'sale':true}}");
    CatalogueFixture.put(catalogue, "shop/new", "{'features':{'sale':true}}");
    CatalogueFixture.remove(catalogue, "shop/9");
    ItemTable longer = catalogue.items(Shop.surface());
    Matches anew = Matches.of(longer, filter.conditions(), null);
    Matches after = Matches.of(longer, filter.conditions(), before);
    assertEquals(anew.count(), after.count());
    assertTrue(IntStream.range(0, longer.size()).allMatch(row -> anew.has(row) == after.has(row)));
  }

  private static ItemFilter read(String filter) {
    JsonFields request = request(filter);
    ItemFilter read = ItemFilter.read(Shop.surface(), request);
    request.check();
    return read;
  }

  private static JsonFields request(String filter) {
    String body = "{'filter':" + filter + "}";
    return JsonFields.ofRequest(JsonBody.parse(body.replace('\'', '"').getBytes(UTF_8), 10_000));
  }
}
