#include "db/ledger/reading.h"

#include <iterator>
#include <limits>

#include "db/ledger/state.h"
#include "db/rows/keys.h"
#include "lifetime/lifetime.h"

namespace mayfly::ledger {
namespace {

using keys::EndOrder;

// A scan costs about as much as so many rows, even if it finds none.
constexpr std::uint32_t rows_of_a_scan = 32;

// Calls `each(row)` for every row of the range.
template <class Each>
Result<void> read_all(View& view, store::Range range, Meter& meter, const Each& each) {
  for (bool more = true; more;) {
    const store::Page page = std::move(TRY(view.read({{}, {range}})).scans.front());
    TRY(meter.tick(static_cast<std::uint32_t>(page.rows.size()) + rows_of_a_scan));
    for (std::size_t i = 0; i < page.rows.size(); ++i) TRY(each(page.rows[i]));
    more = page.next.has_value();
    if (more) range.lo = *page.next;
  }
  return {};
}

Bytes end_of_level(CollectionId collection, EndOrder order, const SlotRange& range) {
  if (range.to) return keys::ledger_slot(collection, order, range.level, *range.to);
  Bytes level = keys::ledger_slots(collection);
  level.push_back(static_cast<char>(order));
  level.push_back(static_cast<char>(range.level));
  return after_prefix(level);
}

}  // namespace

Result<std::optional<Reading>> Reading::open(View& view, const Collection& collection,
                                             Meter& meter) {
  if (view.is_of_transaction()) return std::nullopt;
  const store::Rows state =
      std::move(TRY(view.read({{keys::ledger_state(collection.id)}, {}})).gets);
  if (!state[0].present()) return std::nullopt;
  const auto through = TRY(decode_state(state[0].value));
  if (!through) return std::nullopt;
  Reading reading(view, collection.id, meter);
  TRY(reading.read_pending(*through));
  return reading;
}

Result<void> Reading::read_pending(Instant after) {
  const store::Range range{.lo = keys::ledger_changes(collection_, Instant{after.micros + 1}),
                           .hi = after_prefix(keys::ledger_changes(collection_))};
  TRY(read_all(*view_, range, *meter_, [&](const store::Row& row) -> Result<void> {
    const std::vector<CountChange> changes = TRY(decode_changes(row.value));
    for (const CountChange& change : changes) pending_[{change.order, change.second}] += change.by;
    return meter_->tick(static_cast<std::uint32_t>(changes.size()));
  }));
  std::int64_t sum = 0;
  for (auto one = pending_.rbegin(); one != pending_.rend(); ++one) {
    const bool is_last_of_order =
        one == pending_.rbegin() || std::prev(one)->first.first != one->first.first;
    sum = one->second += is_last_of_order ? 0 : sum;
  }
  return {};
}

std::int64_t Reading::in_pending(EndOrder order, std::int64_t second) const {
  const auto one = pending_.lower_bound({order, second});
  return one != pending_.end() && one->first.first == order ? one->second : 0;
}

Result<std::uint64_t> Reading::from(EndOrder order, Instant end) {
  const std::int64_t second = first_second_from(end);
  const Instant instant = Instant::from_seconds(second);
  const bool is_last = instant.is_never();  // a second that extends behind all instants
  std::int64_t sum = 0;
  if (end < instant || is_last) {
    sum += TRY(in_queue(order, end, is_last ? std::nullopt : std::optional(instant)));
  }
  sum += TRY(in_slots(order, second)) + in_pending(order, second);
  if (sum < 0) return fail(Code::corrupt, "the ledger of ends counts less than nothing");
  return static_cast<std::uint64_t>(sum);
}

Result<std::uint64_t> Reading::never_ending() {
  const Bytes key = keys::ledger_slot(collection_, EndOrder::never, 0, 0);
  const store::Rows rows = std::move(TRY(view_->read({{key}, {}})).gets);
  std::int64_t sum = rows[0].present() ? TRY(decode_slot(rows[0].value)) : 0;
  sum += in_pending(EndOrder::never, 0);
  if (sum < 0) return fail(Code::corrupt, "the ledger of ends counts less than nothing");
  return static_cast<std::uint64_t>(sum);
}

Result<std::int64_t> Reading::in_slots(EndOrder order, std::int64_t second) {
  store::ReadBatch batch;
  for (const SlotRange& range : slots_from(second)) {
    batch.scans.push_back({.lo = keys::ledger_slot(collection_, order, range.level, range.from),
                           .hi = end_of_level(collection_, order, range)});
  }
  store::ReadReply reply = TRY(view_->read(batch));
  std::int64_t sum = 0;
  const auto add = [&sum](const store::Row& row) -> Result<void> {
    sum += TRY(decode_slot(row.value));
    return {};
  };
  for (std::size_t i = 0; i < batch.scans.size(); ++i) {
    const store::Page& page = reply.scans[i];
    TRY(meter_->tick(static_cast<std::uint32_t>(page.rows.size()) + rows_of_a_scan));
    for (std::size_t k = 0; k < page.rows.size(); ++k) TRY(add(page.rows[k]));
    if (!page.next) continue;
    batch.scans[i].lo = *page.next;
    TRY(read_all(*view_, batch.scans[i], *meter_, add));
  }
  return sum;
}

Result<std::int64_t> Reading::in_queue(EndOrder order, Instant from, std::optional<Instant> until) {
  const auto queue = static_cast<keys::Queue>(order);
  const Bytes hi = until ? keys::queue(collection_, queue, *until, {})
                         : after_prefix(keys::queue(collection_, queue));
  const store::Range range{
      .lo = keys::queue(collection_, queue, from, {}), .hi = hi, .keys_only = true};
  std::int64_t rows = 0;
  TRY(read_all(*view_, range, *meter_, [&rows](const store::Row&) -> Result<void> {
    ++rows;
    return {};
  }));
  return rows;
}

Instant earliest_living_end(EndOrder order, const Policy& policy, Instant now) {
  switch (order) {
    case EndOrder::at: return {now.micros + 1};
    case EndOrder::after: return after_live_from(policy, now);
    case EndOrder::inherit: return inherit_live_from(policy, now);
    case EndOrder::never: break;
  }
  return Instant::beginning();
}

Result<std::optional<std::uint64_t>> count_living(View& view, const Collection& collection,
                                                  Meter& meter) {
  auto reading = TRY(Reading::open(view, collection, meter));
  if (!reading) return std::nullopt;
  std::uint64_t living = TRY(reading->never_ending());
  for (const EndOrder order : {EndOrder::at, EndOrder::after, EndOrder::inherit}) {
    living += TRY(reading->from(order, earliest_living_end(order, collection.policy, view.now())));
  }
  return living;
}

}  // namespace mayfly::ledger
