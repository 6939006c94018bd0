// Bodies of Kuzzle's searches: one is refused with a message, or answered. A query and its negation
// together find every document once, and all ways of paging give the same hits.
#include <set>

#include "db/database.h"
#include "dialect/kuzzle/search/search.h"
#include "expr/testing.h"
#include "fuzz.h"
#include "store/memory/memory_store.h"
#include "value/json/json.h"
#include "value/json/tokens.h"

namespace mayfly::fuzz {
namespace {

using namespace kuzzle::search;

constexpr std::string_view documents[] = {
    R"({"n":1,"s":"The quick brown fox","tags":["a","b c"],"d":"2026-09-01","ok":true})",
    R"({"n":[2.5,-1],"s":"lazy dog","tags":[],"d":"2026-09-01T10:00:00Z","o":{"p":{"q":1}}})",
    R"({"n":"1","s":null,"tags":"a","d":1500000000000,"ok":false})",
    R"({"l":[{"x":1,"y":"a"},{"x":2,"y":"b"}],"s":"in_progress"})",
    R"({"n":9223372036854775807,"s":"\u00c9t\u00e9 2026","d":"now"})",
    R"({})",
};

constexpr std::string_view types = R"({"properties":{
  "n":{"type":"double"},"s":{"type":"text","fields":{"raw":{"type":"keyword"}}},
  "tags":{"type":"keyword"},"d":{"type":"date"},"ok":{"type":"boolean"}}})";

struct World {
  ManualClock clock{Instant::from_seconds(1'800'000'000)};
  std::unique_ptr<Database> database = Database::open(store::open_memory(), clock).value();
  CollectionPtr collection;
  Mapping dynamic;
  Mapping typed = Mapping::parse(parse_json(types).value()).value();

  World() {
    const DatabaseId id = database->create_database("i").value()->id;
    const CollectionChange promises{.keep_history_for = Span::seconds(1'000)};
    const std::vector<IndexSpec> indexes = {{"by_time", {{Field::metadata("created_at"), false}}}};
    collection = database->create_collection(id, {"c", promises, indexes}).value();
    int number = 0;
    for (const std::string_view json : documents) {
      const DocumentKey key = DocumentKey::of("d" + std::to_string(number++));
      const auto put = database->transact([&](Transaction& t) -> Result<void> {
        TRY(t.put(collection, key, TRY(pack_json(json)), {.author = "u1"}));
        return {};
      });
      CHECK(put.has_value());
    }
    collection = database->catalog()->collection(collection->id);
  }
};

World& world() {
  static World made;
  return made;
}

void check_refusal(const Error& error) {
  CHECK(error.code == Code::invalid || error.code == Code::unsupported ||
        error.code == Code::too_large);
  CHECK(!error.message.empty() && is_utf8(error.message));
}

// What is highlighted is texts, and never none.
void check_highlight(const Value& highlight) {
  if (highlight.is_missing()) return;
  CHECK(highlight.is(Kind::object) && !highlight.object().empty());
  for (const auto& [field, fragments] : highlight.object()) {
    CHECK(fragments.is(Kind::array) && !fragments.array().empty());
    for (const Value& fragment : fragments.array()) {
      CHECK(fragment.is(Kind::text) && is_utf8(fragment.text()));
    }
  }
}

std::optional<std::vector<std::string>> hits_of(const Search& search,
                                                const SearchContext& context) {
  const auto found = answer(search, context);
  if (!found) {
    check_refusal(found.error());
    return std::nullopt;
  }
  CHECK(found->hits.size() <= search.size && found->total <= std::size(documents));
  CHECK(found->hits.size() <= found->total);
  std::vector<std::string> ids;
  for (const Hit& hit : found->hits) {
    ids.emplace_back(hit.document.id);
    CHECK(hit.sort.size() == search.sort.size());
    check_highlight(hit.highlight);
    const auto shown = search.source.of(hit.document.body.unpack(), unbounded());
    CHECK(shown.has_value());
    render_json(*shown);
  }
  if (!search.aggregations.empty()) {
    const auto again = parse_json(render_json(found->aggregations));
    CHECK(again.has_value() && again->is(Kind::object));
  }
  return ids;
}

// The same hits in pages of two, by a scroll.
void check_scroll(const Search& search, const SearchContext& context) {
  auto paged = std::make_shared<Search>(search);
  paged->from = 0;
  paged->size = 2;
  paged->after = nullptr;
  paged->aggregations.clear();
  Search whole = *paged;
  whole.size = 100;
  const auto expected = hits_of(whole, context);
  auto page = begin_scroll(paged, context);
  if (!expected || !page) return;
  CHECK(page->answer.total == expected->size());
  std::multiset<std::string> ids;
  while (true) {
    for (const Hit& hit : page->answer.hits) ids.insert(std::string(hit.document.id));
    CHECK(ids.size() <= std::size(documents));
    if (!page->next.bookmark) break;
    page = go_on(page->next, context);
    CHECK(page.has_value());
  }
  CHECK(ids == std::multiset<std::string>(expected->begin(), expected->end()));
}

void check_opposite(const Search& search, const SearchContext& context) {
  if (!search.query) return;
  const auto in = count(search.query, context);
  const auto out = count(expr::negation(search.query), context);
  if (!in) return check_refusal(in.error());
  if (out) CHECK(*in + *out == std::size(documents));
}

}  // namespace

void run(BytesView input) {
  const auto body = parse_json(input);
  if (!body) return;
  View view = world().database->view();
  for (const Mapping* mapping : {&world().dynamic, &world().typed}) {
    const auto search =
        parse_search(*body, {.mapping = *mapping, .now = view.now(), .shows_highlights = true});
    if (!search) {
      check_refusal(search.error());
      continue;
    }
    const SearchContext context{view, world().collection};
    hits_of(*search, context);
    check_opposite(*search, context);
    check_scroll(*search, context);
  }
}

}  // namespace mayfly::fuzz
