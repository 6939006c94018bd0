#include "db/ledger/changes.h"

#include <algorithm>
#include <tuple>

#include "db/ledger/slots.h"

namespace mayfly::ledger {
namespace {

void put_signed(Bytes& out, std::int64_t n) {
  put_varint(out, (static_cast<std::uint64_t>(n) << 1) ^ static_cast<std::uint64_t>(n >> 63));
}

std::int64_t read_signed(Reader& in) {
  const std::uint64_t n = in.varint();
  return static_cast<std::int64_t>(n >> 1) ^ -static_cast<std::int64_t>(n & 1);
}

bool is_same_place(const CountChange& a, const CountChange& b) {
  return a.order == b.order && a.second == b.second;
}

}  // namespace

void Changes::add(keys::EndOrder order, Instant end, std::int64_t by) {
  changes_.push_back({order, order == keys::EndOrder::never ? 0 : second_of(end), by});
}

std::size_t Changes::sum_up() {
  std::sort(changes_.begin(), changes_.end(), [](const CountChange& a, const CountChange& b) {
    return std::tie(a.order, a.second) < std::tie(b.order, b.second);
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < changes_.size();) {
    CountChange sum = changes_[i];
    for (++i; i < changes_.size() && is_same_place(changes_[i], sum); ++i) sum.by += changes_[i].by;
    if (sum.by != 0) changes_[kept++] = sum;
  }
  changes_.resize(kept);
  return kept;
}

Bytes Changes::encode() const {
  Bytes value;
  CountChange before{};
  for (const CountChange& change : changes_) {
    value.push_back(static_cast<char>(change.order));
    put_signed(value, change.order == before.order ? change.second - before.second : change.second);
    put_signed(value, change.by);
    before = change;
  }
  return value;
}

Result<std::vector<CountChange>> decode_changes(BytesView value) {
  std::vector<CountChange> changes;
  Reader in(value);
  while (in.ok() && !in.done()) {
    CountChange change{.order = static_cast<keys::EndOrder>(in.u8())};
    change.second = read_signed(in);
    change.by = read_signed(in);
    if (!changes.empty() && changes.back().order == change.order) {
      change.second += changes.back().second;
    }
    changes.push_back(change);
  }
  if (!in.ok()) return fail(Code::corrupt, "changes of the ledger of ends are damaged");
  return changes;
}

}  // namespace mayfly::ledger
