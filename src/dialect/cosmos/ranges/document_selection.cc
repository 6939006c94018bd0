#include "dialect/cosmos/ranges/document_selection.h"

namespace mayfly::cosmos {
namespace {

// The EPKs of the restriction when its range was a part of `former`.
std::optional<EpkRange> epks_within(const EpkRange& former, const Restriction& restriction) {
  const bool was_all = former.min.empty() && former.max == epk_max;
  if (was_all) return restriction.requested_epks;
  return restriction.requested_epks ? in_both(*restriction.requested_epks, former) : former;
}

// All readings that the request of an earlier page can have had, including the current one.
std::vector<DocumentSelection> selections_of(const Container& container,
                                             const Restriction& restriction) {
  const KeyRanges& ranges = container.definition.ranges;
  std::vector<Restriction> restrictions{restriction};
  if (restriction.range != nullptr) {
    for (const EpkRange& former : ranges.ancestors_of(*restriction.range)) {
      restrictions.push_back(restriction);
      restrictions.back().epks = epks_within(former, restriction);
    }
  }
  std::vector<DocumentSelection> readings;
  for (const Restriction& one : restrictions) {
    readings.push_back({DocumentOrder::of_keys, one});
    readings.push_back({DocumentOrder::of_values, one});
    if (ranges.was_one()) readings.push_back({DocumentOrder::of_creation, one});
  }
  return readings;
}

}  // namespace

DocumentSelection selection_of(const Container& container, const Restriction& restriction) {
  return {order_of(container), restriction};
}

bool is_of_another_query(const Result<query::RowsPage>& page, const query::QueryPtr& requested,
                         const query::RunOptions& options) {
  return !page && page.error().code == Code::invalid && options.bookmark &&
         options.bookmark->query != query::fingerprint(*requested);
}

Result<query::RowsPage> answer_or_continue(const query::QueryPtr& requested,
                                           const MakeQuery& make_query, const Container& container,
                                           const Restriction& restriction, View& view,
                                           query::RunOptions options) {
  auto page = query::answer(requested, view, options);
  if (container.definition.ranges.is_one() || !is_of_another_query(page, requested, options)) {
    return page;
  }
  for (const DocumentSelection& selection : selections_of(container, restriction)) {
    const query::QueryPtr former = TRY(make_query(selection));
    if (query::fingerprint(*former) != options.bookmark->query) continue;
    // A count of rows of the parent is no position in a child.
    const bool is_count = std::holds_alternative<query::AtCount>(options.bookmark->position);
    if (is_count && selection.restriction.epks != restriction.epks) return page;
    const query::QueryPtr rest = TRY(make_query({selection.order, restriction}));
    options.bookmark->query = query::fingerprint(*rest);
    return query::answer(rest, view, options);
  }
  return page;
}

const KeyRange* range_of(const Container& container, const Restriction& restriction) {
  const KeyRanges& ranges = container.definition.ranges;
  if (ranges.is_one()) return &ranges.all().front();
  if (restriction.range != nullptr) return restriction.range;
  const PartitionKey& key = container.definition.key;
  if (!restriction.values.empty()) {
    return ranges.around(epk_range_of(restriction.values, hash_of(key), key.paths.size()));
  }
  return restriction.requested_epks ? ranges.around(*restriction.requested_epks) : nullptr;
}

const KeyRange* range_of(const Container& container, const Packed& body) {
  const KeyRanges& ranges = container.definition.ranges;
  if (ranges.is_one()) return &ranges.all().front();
  return &ranges.of_epk(epk_of_document(container.definition.key, body));
}

}  // namespace mayfly::cosmos
