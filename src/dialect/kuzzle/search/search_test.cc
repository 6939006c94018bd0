// Whole searches: sorting, pages, search_after, trash, scrolls, and the source.
#include "dialect/kuzzle/search/testing.h"

#include <gmock/gmock.h>

#include "dialect/kuzzle/search/scrolls.h"
#include "query/planning/planner.h"

namespace mayfly::kuzzle::search {
namespace {

using mayfly::testing::must;
using mayfly::testing::second;

CollectionChange with_trash_and_history() {
  return {.keep_history_for = Span::seconds(3'600), .keep_trash_for = Span::seconds(86'400)};
}

class SearchTest : public ::testing::Test {
 protected:
  SearchTest() : world(with_trash_and_history()) {}

  void put(const std::string& id, const std::string& json, const std::string& author = "u1") {
    must(world.put(world.rows, id, json, PutOptions{.author = author}));
    world.clock.advance(Span::seconds(1));
  }
  void put_numbers(int count) {
    for (int i = 0; i < count; ++i) {
      put("n" + std::to_string(10 + i), R"({"n": )" + std::to_string(i % 5) + "}");
    }
  }
  std::shared_ptr<const Search> parsed(std::string_view body) {
    return std::make_shared<const Search>(must(world.parse(body, world.database->now())));
  }
  std::string hits(std::string_view body) {
    View view = world.view();
    const Answer found = must(answer(*parsed(body), world.context(view)));
    std::string text = std::to_string(found.total) + ":";
    for (const Hit& hit : found.hits) {
      text += " " + std::string(hit.document.id);
      if (!hit.sort.empty()) text += render_json(Value(hit.sort));
    }
    return text;
  }
  SearchWorld world;
};

TEST_F(SearchTest, TheTotalCountsAllAndTheWindowShowsSome) {
  put_numbers(12);
  EXPECT_EQ(hits("{}"), "12: n10 n11 n12 n13 n14 n15 n16 n17 n18 n19");
  EXPECT_EQ(hits(R"({"from": 10, "size": 5})"), "12: n20 n21");
  EXPECT_EQ(hits(R"({"from": 50})"), "12:");
  EXPECT_EQ(hits(R"({"size": 0})"), "12:");
  EXPECT_EQ(hits(R"({"query": {"term": {"n": 4}}, "size": 1})"), "2: n14");
  EXPECT_EQ(world.ids(R"({"size": 10001})"), "too_large size");
  EXPECT_EQ(world.ids(R"({"from": -1})"), "invalid from");
}

TEST_F(SearchTest, HitsAreScoredOnlyWithoutASortOrder) {
  put_numbers(1);
  View view = world.view();
  EXPECT_EQ(must(answer(*parsed("{}"), world.context(view))).max_score, 1.0);
  EXPECT_EQ(must(answer(*parsed(R"({"sort": "n"})"), world.context(view))).max_score, std::nullopt);
  EXPECT_EQ(must(answer(*parsed(R"({"sort": "_score"})"), world.context(view))).max_score, 1.0);
  EXPECT_EQ(
      must(answer(*parsed(R"({"query": {"term": {"n": 9}}})"), world.context(view))).max_score,
      std::nullopt);
}

TEST_F(SearchTest, OrdersPutMissingValuesLast) {
  put("a", R"({"n": 2, "s": "x", "d": "2020-01-02"})");
  put("b", R"({"n": [5, 1], "s": "Y", "d": 1577836800000})");
  put("c", R"({"n": null})");
  put("d", R"({"n": 3, "s": "z", "ok": true})");
  EXPECT_EQ(hits(R"({"sort": "n"})"), "4: b[1] a[2] d[3] c[null]");
  EXPECT_EQ(hits(R"({"sort": [{"n": "desc"}]})"), "4: b[5] d[3] a[2] c[null]");
  EXPECT_EQ(hits(R"({"sort": {"n": {"order": "desc", "missing": "_first"}}})"),
            "4: c[null] b[5] d[3] a[2]");
  EXPECT_EQ(hits(R"({"sort": {"n": {"order": "asc", "missing": 2}}})"), "4: b[1] a[2] c[2] d[3]");
  EXPECT_EQ(hits(R"({"sort": {"n": {"order": "asc", "mode": "avg"}}})"),
            "4: a[2] b[3] d[3] c[null]");
  EXPECT_EQ(hits(R"({"sort": ["s.keyword", "_id"]})"),
            R"(4: b["Y","b"] a["x","a"] d["z","d"] c[null,"c"])");
  EXPECT_EQ(hits(R"({"sort": [{"_id": "desc"}], "size": 2})"), R"(4: d["d"] c["c"])");
  EXPECT_EQ(hits(R"({"sort": {"_meta.createdAt": "desc"}, "size": 2})"),
            "4: d[1003000] c[1002000]");
  world.map(R"({"properties": {"d": {"type": "date"}}})");
  EXPECT_EQ(hits(R"({"sort": "d", "query": {"exists": {"field": "d"}}})"),
            "2: b[1577836800000] a[1577923200000]");
}

TEST_F(SearchTest, BadOrdersAreRefusedByName) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"sort": 1})", "invalid sort"},
      {R"({"sort": [{"a": "up"}]})", "invalid sort.0.a"},
      {R"({"sort": {"a": {"mode": "most"}}})", "invalid sort.a.mode"},
      {R"({"sort": {"a": {"way": "asc"}}})", "invalid sort.a.way"},
      {R"({"sort": {"_geo_distance": {}}})", "unsupported sort._geo_distance"},
      {R"({"sort": {"a": {"nested_path": "x"}}})", "unsupported sort.a.nested_path"},
      {R"({"sort": ["1","2","3","4","5","6","7","8","9"]})", "too_large sort.8"},
  };
  for (const auto& [body, error] : cases) EXPECT_EQ(world.ids(body), error) << body;
}

TEST_F(SearchTest, SearchAfterContinuesAfterTheLastHit) {
  put_numbers(12);
  for (const std::string_view order : {"asc", "desc"}) {
    std::string all;
    std::string after;
    for (int page = 0; page < 20; ++page) {
      View view = world.view();
      const std::string body = R"({"size": 5, "sort": [{"n": ")" + std::string(order) +
                               R"("}, {"_id": ")" + std::string(order) + "\"}]" + after + "}";
      const Answer found = must(answer(*parsed(body), world.context(view)));
      EXPECT_EQ(found.total, 12U);
      if (found.hits.empty()) break;
      for (const Hit& hit : found.hits) all += std::string(hit.document.id) + " ";
      after = R"(, "search_after": )" + render_json(Value(found.hits.back().sort));
    }
    EXPECT_EQ(all, order == "asc" ? "n10 n15 n20 n11 n16 n21 n12 n17 n13 n18 n14 n19 "
                                  : "n19 n14 n18 n13 n17 n12 n21 n16 n11 n20 n15 n10 ");
  }
}

TEST_F(SearchTest, SearchAfterKnowsMissingValuesDatesAndTheIdsOfOld) {
  put("a", R"({"n": 1})");
  put("b", "{}");
  put("c", "{}");
  EXPECT_EQ(world.ids(R"({"sort": ["n", "_uid"], "search_after": [1, "rows#a"]})"), "b c");
  EXPECT_EQ(world.ids(R"({"sort": ["n", "_uid"], "search_after": [null, "rows#b"]})"), "c");
  EXPECT_EQ(world.ids(R"({"sort": [{"n": "desc"}, "_id"], "search_after": [null, "b"]})"), "c");
  EXPECT_EQ(world.ids(R"({"sort": "_meta.createdAt", "search_after": [1000000]})"), "b c");
  EXPECT_EQ(world.ids(R"({"sort": {"_meta.createdAt": "desc"}, "search_after": [1001000]})"), "a");
  EXPECT_EQ(world.ids(R"({"sort": ["_meta.createdAt", "_id"], "search_after": [1000000, "a"]})"),
            "b c");
  EXPECT_EQ(world.ids(R"({"search_after": [1]})"), "invalid search_after");
  EXPECT_EQ(world.ids(R"({"sort": "n", "search_after": [1, 2]})"), "invalid search_after");
  EXPECT_EQ(world.ids(R"({"sort": "n", "search_after": [[]]})"), "invalid search_after.0");
}

TEST_F(SearchTest, MetadataHaveBothNames) {
  put("a", R"({"x": 1})", "ann");
  put("b", R"({"x": 2})", "bob");
  put("b", R"({"x": 3, "_meta": {"mine": 7}})", "ann");
  for (const std::string_view facts : {"_meta", "_kuzzle_info"}) {
    const auto find = [&](std::string_view query) {
      std::string text(query);
      for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@')) {
        text.replace(at, 1, std::string(facts) + ".");
      }
      return world.find(text);
    };
    EXPECT_EQ(find(R"({"term": {"@author": "ann"}})"), "a");
    EXPECT_EQ(find(R"({"terms": {"@author": ["bob", "eve"]}})"), "b");
    EXPECT_EQ(find(R"({"exists": {"field": "@updatedAt"}})"), "b");
    EXPECT_EQ(find(R"({"range": {"@createdAt": {"lte": 1000000}}})"), "a");
    EXPECT_EQ(find(R"({"range": {"@createdAt": {"gt": 1000000}}})"), "b");
    EXPECT_EQ(find(R"({"range": {"@createdAt": {"gte": "1970-01-01T00:16:41Z"}}})"), "b");
    EXPECT_EQ(find(R"({"term": {"@updatedAt": 1002000}})"), "b");
    EXPECT_EQ(find(R"({"term": {"@active": true}})"), "a b");
    EXPECT_EQ(find(R"({"term": {"@active": false}})"), "");
    EXPECT_EQ(find(R"({"exists": {"field": "@deletedAt"}})"), "");
  }
  EXPECT_EQ(world.find(R"({"term": {"_meta.mine": 7}})"), "b");
}

TEST_F(SearchTest, TheTrashIsSeenOnlyOnRequest) {
  put_numbers(4);
  must(world.remove(world.rows, "n11"));
  world.clock.advance(Span::seconds(1));
  must(world.remove(world.rows, "n13", {.author = "u9"}));
  EXPECT_EQ(world.find(R"({"match_all": {}})"), "n10 n12");
  EXPECT_EQ(world.find(R"({"match_all": {}})", true), "n10 n11 n12 n13");
  EXPECT_EQ(world.find(R"({"term": {"_meta.active": false}})", true), "n11 n13");
  EXPECT_EQ(world.find(R"({"term": {"_meta.active": false}})"), "");
  EXPECT_EQ(world.find(R"({"range": {"_meta.deletedAt": {"gt": 1004000}}})", true), "n13");
  EXPECT_EQ(world.find(R"({"ids": {"values": ["n11", "n12"]}})", true), "n11 n12");
  View view = world.view();
  EXPECT_EQ(must(count(nullptr, world.context(view))), 2U);
  View settled = world.view(true);
  EXPECT_EQ(must(count(nullptr, world.context(settled, true))), 4U);
}

TEST_F(SearchTest, CountsAndIdsTakeAQuery) {
  put_numbers(12);
  View view = world.view();
  const Language language{.mapping = world.mapping, .now = view.now()};
  const ExprPtr query =
      must(parse_query_body(world.json(R"({"query": {"terms": {"n": [0, 1]}}})"), language));
  EXPECT_EQ(must(count(query, world.context(view))), 6U);
  std::optional<query::Bookmark> after;
  std::string all;
  do {
    const IdsPage page = must(ids(query, world.context(view), after, 4));
    for (const std::string& id : page.ids) all += id + " ";
    after = page.next;
    all += "| ";
  } while (after);
  EXPECT_EQ(all, "n10 n11 n15 n16 | n20 n21 | ");
  EXPECT_EQ(must(parse_query_body(world.json("{}"), language)), nullptr);
  EXPECT_EQ(parse_query_body(world.json(R"({"quary": {}})"), language).error().field, "quary");
}

TEST_F(SearchTest, PostFiltersLeaveAggregationsAlone) {
  put_numbers(10);
  EXPECT_EQ(hits(R"({"post_filter": {"term": {"n": 1}}})"), "2: n11 n16");
  EXPECT_EQ(world.aggregations(R"({"post_filter": {"term": {"n": 1}},
                                   "aggs": {"most": {"max": {"field": "n"}}}})"),
            R"({"most":{"value":4}})");
}

TEST_F(SearchTest, UnknownMembersOfABodyAreRefused) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"([])", "invalid body"},
      {R"({"quary": {}})", "invalid quary"},
      {R"({"suggest": {}})", "unsupported suggest"},
      {R"({"_source": 1})", "invalid _source"},
      {R"({"_source": {"only": "a"}})", "invalid _source.only"},
      {R"({"aggs": {"a": {"percentiles": {}}}})", "unsupported aggs.a.percentiles"},
      {R"({"track_scores": true, "timeout": "1s"})", ""},
  };
  for (const auto& [body, error] : cases) EXPECT_EQ(world.ids(body), error) << body;
}

TEST_F(SearchTest, SourceFiltersShowPartsOfABody) {
  const Value body = world.json(
      R"({"a": 1, "b": {"c": 2, "d": {"e": 3}}, "list": [{"x": 1, "y": 2}, {"y": 3}], "bc": {}})");
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"true", R"({"a":1,"b":{"c":2,"d":{"e":3}},"list":[{"x":1,"y":2},{"y":3}],"bc":{}})"},
      {R"("a")", R"({"a":1})"},
      {R"("b")", R"({"b":{"c":2,"d":{"e":3}}})"},
      {R"(["b.c", "list.x"])", R"({"b":{"c":2},"list":[{"x":1}]})"},
      {R"("b.*")", R"({"b":{"c":2,"d":{"e":3}}})"},
      {R"("*.e")", R"({"b":{"d":{"e":3}}})"},
      {R"("b*")", R"({"b":{"c":2,"d":{"e":3}},"bc":{}})"},
      {R"({"excludes": ["b.d", "list"]})", R"({"a":1,"b":{"c":2},"bc":{}})"},
      {R"({"includes": ["b"], "excludes": "*.e"})", R"({"b":{"c":2,"d":{}}})"},
      {R"("zzz")", "{}"},
  };
  Meter meter;
  for (const auto& [filter, shown] : cases) {
    const SourceFilter source = must(SourceFilter::parse(world.json(filter)));
    EXPECT_EQ(render_json(must(source.of(body, meter))), shown) << filter;
  }
  EXPECT_TRUE(must(must(SourceFilter::parse(Value(false))).of(body, meter)).is_missing());
}

TEST_F(SearchTest, ASourceFilterEndsWithTheTimeOfItsRequest) {
  Object body;
  for (int i = 0; i < 2'000; ++i) body.append("field" + std::to_string(i), i);
  const SourceFilter source = must(SourceFilter::parse(world.json(R"(["a*", "b*", "c*"])")));
  Meter meter(monotonic_now, monotonic_now() - Span::seconds(1));
  const auto shown = source.of(Value(std::move(body)), meter);
  ASSERT_FALSE(shown.has_value());
  EXPECT_EQ(shown.error().code, Code::timed_out);
}

// The plan of a query.
std::string path_of(SearchWorld& world, std::string_view body) {
  View view = world.view();
  const Search search = must(world.parse(body, view.now()));
  query::QueryPtr rows = query::scan(world.now(world.rows), view.live());
  if (search.query) rows = query::filter(std::move(rows), search.query);
  std::vector<query::SortKey> keys;
  for (const SortField& field : search.sort) keys.push_back({field.key, field.is_descending});
  if (!keys.empty()) rows = query::sort(std::move(rows), keys, query::Ties::ascending);
  return query::render(*must(query::plan(rows, {view.now(), std::nullopt})).root);
}

TEST_F(SearchTest, IdsAndFactsAreServedByKeysAndIndexes) {
  must(
      world.database->create_index(world.rows->id, {"by_time", {{Field::metadata("created_at")}}}));
  using ::testing::HasSubstr;
  EXPECT_THAT(path_of(world, R"({"query": {"ids": {"values": ["a", "b"]}}})"),
              HasSubstr("point rows"));
  EXPECT_THAT(path_of(world, R"({"query": {"bool": {"filter": [{"term": {"_id": "a"}},
                                {"term": {"n": 1}}]}}})"),
              HasSubstr("point rows"));
  EXPECT_THAT(path_of(world, R"({"query": {"range": {"_meta.createdAt": {"gte": 5}}}})"),
              HasSubstr("by_time"));
  EXPECT_THAT(path_of(world, R"({"sort": {"_kuzzle_info.createdAt": "asc"}})"),
              HasSubstr("by_time"));
  const std::string by_key = path_of(world, R"({"sort": {"_id": "desc"}})");
  EXPECT_EQ(by_key.find("sort"), std::string::npos) << by_key;
}

// --- scrolls ---

class ScrollTest : public SearchTest {
 protected:
  // The ids on all further pages of a scroll.
  std::string rest_of(Scroll scroll, int pages_max = 20) {
    std::string all;
    for (int i = 0; scroll.bookmark && i < pages_max; ++i) {
      View view = world.view(scroll.shows_trash);
      ScrollPage page = must(go_on(scroll, world.context(view)));
      EXPECT_EQ(page.answer.total, scroll.total);
      all += "| " + SearchWorld::ids_of(page.answer) + " ";
      scroll = page.next;
    }
    EXPECT_EQ(scroll.remaining(), 0U);
    return all;
  }
  ScrollPage begin(std::string_view body, bool shows_trash = false) {
    View view = world.view(shows_trash);
    return must(begin_scroll(parsed(body), world.context(view, shows_trash)));
  }
};

TEST_F(ScrollTest, AScrollShowsEachHitOnce) {
  put_numbers(7);
  ScrollPage page = begin(R"({"size": 3})");
  EXPECT_EQ(page.answer.total, 7U);
  EXPECT_EQ(page.next.remaining(), 4U);
  EXPECT_EQ(SearchWorld::ids_of(page.answer), "n10 n11 n12");
  EXPECT_EQ(rest_of(page.next), "| n13 n14 n15 | n16 ");
  page = begin(R"({"size": 3, "sort": [{"n": "desc"}]})");
  EXPECT_EQ(SearchWorld::ids_of(page.answer), "n14 n13 n12");
  EXPECT_EQ(rest_of(page.next), "| n11 n16 n10 | n15 ");
}

TEST_F(ScrollTest, LaterWritesAndRemovalsDoNotChangeIt) {
  put_numbers(5);
  for (const std::string_view body : {R"({"size": 2})", R"({"size": 2, "sort": "n"})"}) {
    ScrollPage page = begin(body);
    EXPECT_EQ(SearchWorld::ids_of(page.answer), "n10 n11");
    must(world.remove(world.rows, "n13"));
    put("n12", R"({"n": 99})");
    put("n115", R"({"n": 1.5})");
    EXPECT_EQ(rest_of(page.next), "| n12 n13 | n14 ");
    must(world.restore(world.rows, "n13"));
    put("n12", R"({"n": 2})");
    must(world.remove(world.rows, "n115", {.is_final = true}));
  }
}

TEST_F(ScrollTest, ItShowsTheBodiesOfItsMoment) {
  put_numbers(3);
  ScrollPage page = begin(R"({"size": 1})");
  put("n12", R"({"n": 99})");
  std::string bodies;
  Scroll scroll = page.next;
  while (scroll.bookmark) {
    View view = world.view();
    ScrollPage next = must(go_on(scroll, world.context(view)));
    for (const Hit& hit : next.answer.hits) bodies += std::string(hit.document.body.json());
    scroll = next.next;
  }
  EXPECT_EQ(bodies, R"({"n":1}{"n":2})");
}

TEST_F(ScrollTest, DocumentsThatExpireMeanwhileAreNotShown) {
  put_numbers(2);
  must(world.put(world.rows, "n20", R"({"n": 7})", mayfly::testing::after(60)));
  world.change(world.rows, {.default_lifetime = Default(Never{})});
  ScrollPage page = begin(R"({"size": 2})");
  EXPECT_EQ(page.answer.total, 3U);
  world.clock.advance(Span::seconds(120));
  EXPECT_EQ(page.next.remaining(), 1U);
  View view = world.view();
  const ScrollPage last = must(go_on(page.next, world.context(view)));
  EXPECT_EQ(SearchWorld::ids_of(last.answer), "");
  EXPECT_EQ(last.answer.total, 2U) << "the hits have ended, so it is known how many there are";
  EXPECT_EQ(last.next.remaining(), 0U);
}

TEST_F(ScrollTest, LaterPagesIncludeTheTrashLikeTheFirst) {
  put_numbers(4);
  must(world.remove(world.rows, "n11"));
  ScrollPage page = begin(R"({"size": 2})", true);
  EXPECT_EQ(page.answer.total, 4U);
  must(world.remove(world.rows, "n12"));
  EXPECT_EQ(rest_of(page.next), "| n12 n13 ");
  page = begin(R"({"size": 1})");
  EXPECT_EQ(page.answer.total, 2U);
  EXPECT_EQ(rest_of(page.next), "| n13 ");
}

TEST_F(ScrollTest, WithoutHistoryItContinuesOverTheCurrentDocuments) {
  SearchWorld plain;
  for (const char* id : {"a", "b", "c", "d"}) must(plain.put(plain.rows, id, "{}"));
  View view = plain.view();
  const auto search =
      std::make_shared<const Search>(must(plain.parse(R"({"size": 2})", view.now())));
  const ScrollPage page = must(begin_scroll(search, plain.context(view)));
  must(plain.remove(plain.rows, "c"));
  must(plain.put(plain.rows, "aa", "{}"));
  View later = plain.view();
  EXPECT_EQ(SearchWorld::ids_of(must(go_on(page.next, plain.context(later))).answer), "d");
}

TEST_F(ScrollTest, AnIndexThatComesMeanwhileDoesNotDisturbIt) {
  put_numbers(5);
  must(world.database->create_index(world.rows->id, {"by_n", {{Field::body("n")}}}));
  ScrollPage page = begin(R"({"size": 2, "query": {"range": {"_meta.createdAt": {"gte": 0}}}})");
  must(
      world.database->create_index(world.rows->id, {"by_time", {{Field::metadata("created_at")}}}));
  EXPECT_EQ(rest_of(page.next), "| n12 n13 | n14 ");
}

TEST_F(ScrollTest, ScrollsExpireAndAreBounded) {
  put_numbers(3);
  const ScrollPage page = begin(R"({"size": 2})");
  const PageTokens tokens("secret");
  Scrolls scrolls(tokens);
  const Span keep_for = must(parse_duration("30s"));
  const auto by = [&](const std::string& client, int at) {
    return Scrolls::ScrollLease{client, second(at), keep_for};
  };
  const std::string id = must(scrolls.keep(page.next, by("a", 100)));
  EXPECT_EQ(scrolls.take("nobody", second(100)).error().code, Code::not_found);
  const Bytes place = must(tokens.open("kuzzle scrolls", id, second(100)));
  const std::string forged = PageTokens("guessed").seal({"kuzzle scrolls", place});
  EXPECT_EQ(scrolls.take(forged, second(100)).error().code, Code::not_found);
  EXPECT_EQ(scrolls.keep_again(forged, page.next, by("a", 100)).error().code, Code::not_found);
  const Scroll taken = must(scrolls.take(id, second(129)));
  EXPECT_EQ(taken.remaining(), 1U);
  EXPECT_EQ(scrolls.take(id, second(129)).error().code, Code::not_found);
  must(scrolls.keep_again(id, taken, by("a", 129)));
  EXPECT_EQ(scrolls.take(id, second(159)).error().message,
            "Non-existing or expired scroll identifier");
  EXPECT_EQ(scrolls.size(), 0U);
  for (std::size_t i = 0; i < limits::scrolls_max; ++i) {
    must(scrolls.keep(page.next, by(std::to_string(i % 20), 200)));
  }
  must(scrolls.keep(page.next, by("a", 231)));  // the others have ended
  EXPECT_EQ(scrolls.size(), 1U);
}

TEST_F(ScrollTest, OfTooManyScrollsThoseThatAreIdleLongestGo) {
  put_numbers(3);
  const ScrollPage page = begin(R"({"size": 2})");
  const PageTokens tokens("secret");
  Scrolls scrolls(tokens);
  const auto keep = [&](const std::string& client) {
    return must(scrolls.keep(page.next, {client, second(100), Span::seconds(86'400)}));
  };
  const auto is_there = [&](const std::string& id) {
    return scrolls.place(id, second(101)).has_value();
  };
  const std::string others = keep("other");
  const std::string first = keep("greedy");
  const std::string second_one = keep("greedy");
  for (std::size_t i = 2; i < limits::scrolls_of_client_max; ++i) keep("greedy");
  // A scroll that is continued is not idle.
  must(scrolls.keep_again(first, must(scrolls.take(first, second(101))),
                          {"greedy", second(101), Span::seconds(60)}));
  keep("greedy");
  EXPECT_TRUE(is_there(others));
  EXPECT_TRUE(is_there(first));
  EXPECT_FALSE(is_there(second_one));
  EXPECT_EQ(scrolls.size(), 1 + limits::scrolls_of_client_max);
  // If all clients together have too many, the oldest of all is dropped.
  for (std::size_t i = 0; scrolls.size() < limits::scrolls_max; ++i) {
    keep("c" + std::to_string(i / limits::scrolls_of_client_max));
  }
  EXPECT_TRUE(is_there(others));
  keep("last");
  EXPECT_FALSE(is_there(others));
  EXPECT_EQ(scrolls.size(), limits::scrolls_max);
}

TEST_F(ScrollTest, DurationsAreANumberAndAUnit) {
  EXPECT_EQ(must(parse_duration("")), Span::seconds(15));
  EXPECT_EQ(must(parse_duration("500ms")), Span::millis(500));
  EXPECT_EQ(must(parse_duration("2m")), Span::seconds(120));
  EXPECT_EQ(must(parse_duration("1d")), Span::seconds(86'400));
  for (const std::string_view bad : {"2d", "x", "1", "1 s", "-1s", "1M", "99999999999999999999s"}) {
    EXPECT_FALSE(parse_duration(bad)) << bad;
  }
}

}  // namespace
}  // namespace mayfly::kuzzle::search
