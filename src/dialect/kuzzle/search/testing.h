// Helpers for searches in a database in memory.
#pragma once

#include <string>

#include "db/testing.h"
#include "dialect/kuzzle/search/search.h"

namespace mayfly::kuzzle::search {

class SearchWorld : public mayfly::testing::World {
 public:
  explicit SearchWorld(CollectionChange policy = {}) {
    rows = collection("rows", std::move(policy));
  }

  Value json(std::string_view text) { return mayfly::testing::must(parse_json(text)); }
  void map(std::string_view text) { mapping = mayfly::testing::must(Mapping::parse(json(text))); }
  SearchContext context(View& view, bool shows_trash = false) {
    return {view, now(rows), shows_trash};
  }
  View view(bool shows_trash = false) {
    return shows_trash ? mayfly::testing::must(database->up_to_date_view(rows->id))
                       : database->view();
  }
  Result<Search> parse(std::string_view body, Instant at) {
    return parse_search(json(body), {.mapping = mapping, .now = at, .shows_highlights = true});
  }

  static std::string text_of(const Error& error) {
    return std::string(name_of(error.code)) + " " + error.field;
  }
  // The ids of the hits, or the error.
  std::string ids(std::string_view body, bool shows_trash = false) {
    View seen = view(shows_trash);
    const auto search = parse(body, seen.now());
    if (!search) return text_of(search.error());
    const auto found = answer(*search, context(seen, shows_trash));
    return found ? ids_of(*found) : text_of(found.error());
  }
  static std::string ids_of(const Answer& answer) {
    std::string ids;
    for (const Hit& hit : answer.hits)
      ids += (ids.empty() ? "" : " ") + std::string(hit.document.id);
    return ids;
  }
  // The same for a query alone, ordered by id.
  std::string find(std::string_view query, bool shows_trash = false) {
    return ids(R"({"sort": "_id", "size": 100, "query": )" + std::string(query) + "}", shows_trash);
  }
  std::string aggregations(std::string_view body, bool shows_trash = false) {
    View seen = view(shows_trash);
    const auto search = parse(body, seen.now());
    if (!search) return text_of(search.error());
    const auto found = answer(*search, context(seen, shows_trash));
    return found ? render_json(found->aggregations) : text_of(found.error());
  }

  CollectionPtr rows;
  Mapping mapping;
};

}  // namespace mayfly::kuzzle::search
