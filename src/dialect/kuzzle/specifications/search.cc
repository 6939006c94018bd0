// Searches for specifications: each is {index, collection, validation} with the id
// "index#collection". There are at most as many as collections, so all of them are scanned.
#include <fmt/format.h>

#include <algorithm>

#include "dialect/common/limits.h"
#include "dialect/common/page_token.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/search/scrolls.h"
#include "dialect/kuzzle/search/search.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/specifications/specification.h"
#include "expr/evaluation/evaluate.h"
#include "value/json/json.h"
#include "value/order/order.h"

namespace mayfly::kuzzle {
namespace {

// A requested page. A scroll's id contains it, so the server keeps no state for it.
struct SpecificationSearch {
  Value body;
  std::int64_t from = 0;
  std::int64_t size = 0;
  std::optional<Instant> until;  // when a scroll expires
};

constexpr std::string_view specifications_list = "kuzzle specifications";

struct SpecificationRow {
  std::string id;
  Value source;
  Array keys;  // the sort keys
};

class RowScope final : public Scope {
 public:
  explicit RowScope(const SpecificationRow& row) : row_(row), source_(row.source) {}
  Value field(Slot slot, const Field& field) const override {
    const bool is_id = slot == 0 && field == Field::metadata("id");
    return is_id ? Value(row_.id) : source_.field(slot, field);
  }

 private:
  const SpecificationRow& row_;
  const ValueScope source_;
};

Result<std::string> seal_scroll(const KuzzleCall& call, const SpecificationSearch& request) {
  const std::string place =
      render_json(Object{{"body", request.body}, {"from", request.from}, {"size", request.size}});
  std::string id =
      call.shared.services.page_tokens.seal({specifications_list, place, *request.until});
  if (id.size() <= limits::page_token_bytes_max) return id;
  return fail(Code::too_large, "the query of the scroll is too large", "scroll");
}

tl::unexpected<Error> unknown_scroll() {
  return problem("services.storage.unknown_scroll_id", "Non-existing or expired scroll identifier");
}

Result<SpecificationSearch> open_scroll(const KuzzleCall& call, const std::string& id,
                                        Instant now) {
  const auto place = call.shared.services.page_tokens.open(specifications_list, id, now);
  const auto value = place ? parse_json(*place) : tl::unexpected(place.error());
  if (!value) return unknown_scroll();
  const Value from = value->member("from");
  const Value size = value->member("size");
  if (!from.is(Kind::integer) || !size.is(Kind::integer)) return unknown_scroll();
  return SpecificationSearch{value->member("body"), from.integer(), size.integer()};
}

// The matches in sort order.
Result<std::vector<SpecificationRow>> find_rows(const KuzzleCall& call,
                                                const search::Search& parsed) {
  const CatalogPtr catalog = call.database().catalog();
  const PermittedCollections permitted = TRY(PermittedCollections::of(call));
  std::vector<SpecificationRow> rows;
  Meter meter = meter_of(call);
  for (const auto& index : catalog->databases()) {
    if (!is_visible_index(*index)) continue;
    for (const auto& collection : catalog->collections(index->id)) {
      Value specification = specifications::specification_json(*collection);
      if (specification.is_missing() || !permitted.contains(index->name, collection->name))
        continue;
      SpecificationRow row{.id = index->name + "#" + collection->name,
                           .source = Object{{"validation", std::move(specification)},
                                            {"index", index->name},
                                            {"collection", collection->name}}};
      const RowScope scope(row);
      bool fits = true;
      for (const ExprPtr& condition : {parsed.query, parsed.post_filter, parsed.after}) {
        fits = fits && (!condition || TRY(truth(*condition, scope, meter)) == Truth::yes);
      }
      if (!fits) continue;
      for (const search::SortField& field : parsed.sort) {
        row.keys.push_back(field.key ? TRY(evaluate(*field.key, scope, meter)) : Value());
      }
      rows.push_back(std::move(row));
    }
  }
  const auto is_before = [&](const SpecificationRow& a, const SpecificationRow& b) {
    for (std::size_t i = 0; i < parsed.sort.size(); ++i) {
      const auto standing = order(a.keys[i], b.keys[i]);
      if (standing != 0) return parsed.sort[i].is_descending ? standing > 0 : standing < 0;
    }
    return a.id < b.id;
  };
  std::sort(rows.begin(), rows.end(), is_before);
  return rows;
}

Result<std::string> answer_page(const KuzzleCall& call, SpecificationSearch request) {
  const search::Mapping everything_dynamic{};
  const auto parsed = TRY(phrased_as_search(search::parse_search(
      request.body, {.mapping = everything_dynamic, .now = call.database().now()})));
  if (request.size == 0) request.size = static_cast<std::int64_t>(parsed.size);
  const auto most = static_cast<std::int64_t>(call.shared.options.fetched_max);
  if (request.size > most) {
    return problem(
        "services.storage.get_limit_exceeded",
        fmt::format("Search page size exceeds server configured documents limit ({})", most));
  }
  const auto rows = TRY(find_rows(call, parsed));
  Array hits;
  const auto total = static_cast<std::int64_t>(rows.size());
  for (std::int64_t i = request.from; i < total && i - request.from < request.size; ++i) {
    const SpecificationRow& row = rows[static_cast<std::size_t>(i)];
    hits.push_back(Object{{"_id", row.id}, {"_score", 1}, {"_source", row.source}});
  }
  Object answer{{"hits", std::move(hits)}, {"total", total}};
  if (request.until) {
    request.from += request.size;
    const std::string id = TRY(seal_scroll(call, request));
    for (const std::string_view name : call.generation().scroll_id_members) {
      answer.append(std::string(name), id);
    }
  }
  return render_json(answer);
}

}  // namespace

Result<std::string> search_specifications(KuzzleCall& call) {
  SpecificationSearch request{.body = call.message.body};
  if (request.body.is_missing()) request.body = Object();
  request.from = TRY(call.integer("from")).value_or(0);
  request.size = TRY(call.integer("size")).value_or(0);
  if (request.from < 0 || request.from > INT32_MAX || request.size < 0)
    return wrong_type("size", "positive integer");
  if (const auto keep_for = TRY(call.text("scroll"))) {
    request.until = call.database().now() + TRY(search::parse_duration(*keep_for));
  }
  return answer_page(call, std::move(request));
}

Result<std::string> scroll_specifications(KuzzleCall& call) {
  const auto id = TRY(call.text("scrollId"));
  if (!id) return missing_argument("scrollId");
  const Instant now = call.database().now();
  SpecificationSearch request = TRY(open_scroll(call, *id, now));
  request.until = now + TRY(search::parse_duration(TRY(call.text("scroll")).value_or("")));
  return answer_page(call, std::move(request));
}

}  // namespace mayfly::kuzzle
