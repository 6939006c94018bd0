#include "dialect/kuzzle/documents/queries/multi_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/collections/refreshes.h"
#include "dialect/kuzzle/documents/queries/facts.h"
#include "dialect/kuzzle/documents/queries/hits.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/trash/collector.h"
#include "value/json/json.h"
#include "value/order/order.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::string_view member = "targets";

// The value of the argument; missing if there is none. In a URL it is JSON.
Result<Value> named_targets(const KuzzleCall& call) {
  const Value in_body = call.message.body.member(member);
  if (!in_body.is_missing()) return in_body;
  const Value* argument = call.message.arguments.find(member);
  if (argument == nullptr || argument->is_null()) return Value();
  if (!argument->is(Kind::text)) return *argument;
  auto parsed = parse_json(argument->text());
  if (!parsed) return wrong_type(member, "array");
  return *std::move(parsed);
}

// The collections, each once. Fails unless the caller may search in all of them.
Result<std::vector<HitOrigin>> targets_of(const KuzzleCall& call) {
  const Value named = TRY(named_targets(call));
  if (!named.is(Kind::array) || named.array().empty()) return wrong_type(member, "array");
  std::vector<HitOrigin> origins;
  for (const Value& target : named.array()) {
    const Value index = target.member("index");
    const Value collections = target.member("collections");
    if (!index.is(Kind::text)) return wrong_type("targets.index", "string");
    if (!collections.is(Kind::array) || collections.array().empty()) {
      return wrong_type("targets.collections", "array");
    }
    for (const Value& collection : collections.array()) {
      if (!collection.is(Kind::text)) return wrong_type("targets.collections", "array of strings");
      const auto is_same = [&](const HitOrigin& known) {
        return known.index == index.text() && known.collection == collection.text();
      };
      if (std::any_of(origins.begin(), origins.end(), is_same)) continue;
      if (origins.size() == limits::search_targets_max) {
        return problem(
            "services.storage.get_limit_exceeded",
            fmt::format("A search is in at most {} collections.", limits::search_targets_max));
      }
      TRY(authorize(call, same_action_in(call.message, index.text(), collection.text())));
      origins.push_back({index.text(), collection.text(), true});
    }
  }
  return origins;
}

Result<CollectionPtr> collection_of(const KuzzleCall& call, const Catalog& catalog,
                                    const HitOrigin& origin) {
  const Message message = same_action_in(call.message, origin.index, origin.collection);
  return collection_to_read({.message = message, .shared = call.shared}, catalog);
}

// One snapshot of all of them.
Result<View> view_of_targets(const KuzzleCall& call, const std::vector<HitOrigin>& origins) {
  Database& database = call.database();
  if (!call.includes_trash()) return database.view();
  TRY(call.shared.collector.run_due());
  const CatalogPtr catalog = database.catalog();
  std::vector<CollectionId> collections;
  for (const HitOrigin& origin : origins) {
    collections.push_back(TRY(collection_of(call, *catalog, origin))->id);
  }
  return database.up_to_date_view(collections);
}

// The body of the search without the targets.
Result<Value> body_of_search(const KuzzleCall& call) {
  Value body = TRY(search_body(call));
  if (!body.member(member).is_missing()) body.mutable_object().remove(member);
  return body;
}

struct TargetHit {
  search::Hit hit;
  std::size_t target = 0;
};

// Whether the first hit sorts before the second.
bool is_before(const search::Search& parsed_search, const TargetHit& a, const TargetHit& b) {
  for (std::size_t i = 0; i < parsed_search.sort.size(); ++i) {
    const search::SortField& field = parsed_search.sort[i];
    const Value& left = a.hit.sort[i];
    const Value& right = b.hit.sort[i];
    if (left.is_null() != right.is_null()) {
      return right.is_null() == (field.missing != search::SortField::Missing::first);
    }
    const auto compared = order(left, right);
    if (compared != 0) return field.is_descending ? compared > 0 : compared < 0;
  }
  if (!parsed_search.sort.empty()) return false;
  return a.hit.score.value_or(0) > b.hit.score.value_or(0);
}

class MultiSearch {
 public:
  MultiSearch(const KuzzleCall& call, std::vector<HitOrigin> origins, View view)
      : call_(call), origins_(std::move(origins)), view_(std::move(view)) {}

  Result<void> run() {
    if (TRY(call_.text("scroll"))) return not_offered("a scroll");
    read_query_ = TRY(query_language_of(call_));
    body_ = TRY(body_of_search(call_));
    for (std::size_t target = 0; target < origins_.size(); ++target) TRY(search_in(target));
    return {};
  }

  Result<std::string> render() {
    Meter meter = meter_of(call_);
    std::string out;
    JsonWriter json(out);
    json.begin_object();
    json.name("hits").begin_array();
    for (std::size_t i = from_; i < hits_.size(); ++i) {
      const TargetHit& found = hits_[i];
      TRY(render_hit(call_, origins_[found.target], search_, found.hit, meter, json));
    }
    json.end_array();
    json.member("total", total_);
    json.end_object();
    return out;
  }

 private:
  static tl::unexpected<Error> not_offered(const std::string& what) {
    return fail(Code::unsupported, what + " of several collections is not offered");
  }

  Result<void> search_in(std::size_t target) {
    const CollectionPtr collection = TRY(collection_of(call_, view_.catalog(), origins_[target]));
    const auto mapping = TRY(search::Mapping::parse(mapping_of(*collection)));
    const search::Language language{.mapping = mapping,
                                    .now = view_.now(),
                                    .fact = shown_fact,
                                    .read_query = read_query_,
                                    .shows_highlights = true};
    search::Search parsed_search = TRY(phrased_as_search(search::parse_search(body_, language)));
    TRY(set_page(call_, parsed_search));
    if (!parsed_search.aggregations.empty()) return not_offered("an aggregation");
    from_ = parsed_search.from;
    parsed_search.size += parsed_search.from;
    parsed_search.from = 0;
    const auto visible_at = TRY(search_snapshot(call_, view_, *collection));
    const search::SearchContext context{view_, collection, call_.includes_trash(), meter_of(call_),
                                        visible_at};
    search::Answer found = TRY(phrased_as_search(search::answer(parsed_search, context)));
    total_ += found.total;
    search_ = std::move(parsed_search);
    return merge(std::move(found.hits), target);
  }

  // Equal hits are in the order of the targets.
  Result<void> merge(std::vector<search::Hit> hits, std::size_t target) {
    std::vector<TargetHit> more;
    more.reserve(hits.size());
    for (search::Hit& hit : hits) more.push_back({std::move(hit), target});
    std::vector<TargetHit> merged;
    merged.reserve(hits_.size() + more.size());
    const auto before = [this](const TargetHit& a, const TargetHit& b) {
      return is_before(search_, a, b);
    };
    std::merge(std::move_iterator(hits_.begin()), std::move_iterator(hits_.end()),
               std::move_iterator(more.begin()), std::move_iterator(more.end()),
               std::back_inserter(merged), before);
    if (merged.size() > search_.size)
      merged.erase(merged.begin() + static_cast<std::ptrdiff_t>(search_.size), merged.end());
    hits_ = std::move(merged);
    std::size_t bytes = 0;
    for (const TargetHit& found : hits_) {
      bytes += found.hit.document.body.bytes().size() + weight(found.hit.highlight);
    }
    return bytes > limits::answer_sources_bytes_max ? too_large_for_one_answer("size")
                                                    : Result<void>();
  }

  const KuzzleCall& call_;
  const std::vector<HitOrigin> origins_;
  View view_;
  search::ReadQuery read_query_ = nullptr;
  Value body_;
  search::Search search_;  // of the last target; sort order and page are the same for all
  std::size_t from_ = 0;
  std::uint64_t total_ = 0;
  std::vector<TargetHit> hits_;
};

}  // namespace

Result<bool> has_targets(const KuzzleCall& call) {
  if (!call.generation().takes_targets || TRY(named_targets(call)).is_missing()) return false;
  if (call.message.index.empty() && call.message.collection.empty()) return true;
  return problem("api.assert.invalid_argument",
                 "A search names either an index and a collection or targets.");
}

Result<std::string> search_targets(const KuzzleCall& call) {
  std::vector<HitOrigin> origins = TRY(targets_of(call));
  View view = TRY(view_of_targets(call, origins));
  MultiSearch search(call, std::move(origins), std::move(view));
  TRY(search.run());
  return search.render();
}

}  // namespace mayfly::kuzzle
