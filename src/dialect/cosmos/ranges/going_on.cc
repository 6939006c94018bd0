#include "dialect/cosmos/ranges/going_on.h"

namespace mayfly::cosmos {
namespace {

// The EPKs of the restriction when its range was a part of `former`.
std::optional<EpkRange> epks_within(const EpkRange& former, const Restriction& restriction) {
  const bool was_all = former.min.empty() && former.max == epk_max;
  if (was_all) return restriction.asked_epks;
  return restriction.asked_epks ? in_both(*restriction.asked_epks, former) : former;
}

// All readings that the request of an earlier page can have had, including the current one.
std::vector<Reading> readings_of(const Container& container, const Restriction& restriction) {
  const KeyRanges& ranges = container.definition.ranges;
  std::vector<Restriction> restrictions{restriction};
  if (restriction.range != nullptr) {
    for (const EpkRange& former : ranges.ancestors_of(*restriction.range)) {
      restrictions.push_back(restriction);
      restrictions.back().epks = epks_within(former, restriction);
    }
  }
  std::vector<Reading> readings;
  for (const Restriction& one : restrictions) {
    readings.push_back({DocumentOrder::of_keys, one});
    readings.push_back({DocumentOrder::of_values, one});
    if (ranges.was_one()) readings.push_back({DocumentOrder::of_creation, one});
  }
  return readings;
}

}  // namespace

Reading reading_of(const Container& container, const Restriction& restriction) {
  return {order_of(container), restriction};
}

bool is_of_another_query(const Result<query::RowsPage>& page, const query::QueryPtr& wanted,
                         const query::RunOptions& options) {
  return !page && page.error().code == Code::invalid && options.bookmark &&
         options.bookmark->query != query::fingerprint(*wanted);
}

Result<query::RowsPage> answer_or_go_on(const query::QueryPtr& wanted, const Ask& ask,
                                        const Container& container, const Restriction& restriction,
                                        View& view, query::RunOptions options) {
  auto page = query::answer(wanted, view, options);
  if (container.definition.ranges.is_one() || !is_of_another_query(page, wanted, options)) {
    return page;
  }
  for (const Reading& reading : readings_of(container, restriction)) {
    const query::QueryPtr former = TRY(ask(reading));
    if (query::fingerprint(*former) != options.bookmark->query) continue;
    // A count of rows of the parent is no position in a child.
    const bool is_count = std::holds_alternative<query::AtCount>(options.bookmark->position);
    if (is_count && reading.restriction.epks != restriction.epks) return page;
    const query::QueryPtr rest = TRY(ask({reading.order, restriction}));
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
  return restriction.asked_epks ? ranges.around(*restriction.asked_epks) : nullptr;
}

const KeyRange* range_of(const Container& container, const Packed& body) {
  const KeyRanges& ranges = container.definition.ranges;
  if (ranges.is_one()) return &ranges.all().front();
  return &ranges.of_epk(epk_of_document(container.definition.key, body));
}

}  // namespace mayfly::cosmos
