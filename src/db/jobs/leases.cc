#include "db/jobs/leases.h"

#include "db/jobs/limits.h"
#include "db/private_table.h"

namespace mayfly {

namespace {

// REACHES DISK: the names of the table and of the members.
struct LeaseRow {
  std::string holder;
  std::int64_t term = 0;
  Instant until = Instant::beginning();

  static PrivateSpec table() { return {.name = "#leases", .database = server_database}; }
  static Result<LeaseRow> decode(const Document& document) {
    const Value body = document.body.unpack();
    const Value holder = body.member("holder");
    const Value term = body.member("term");
    const Value until = body.member("until");
    if (!holder.is(Kind::text) || !term.is(Kind::integer) || !until.is(Kind::time)) {
      return fail(Code::corrupt, "a lease has a holder, a term and a time");
    }
    return LeaseRow{.holder = holder.text(), .term = term.integer(), .until = until.time()};
  }
  Result<Value> encode() const {
    return Value(Object{{"holder", holder}, {"term", term}, {"until", until}});
  }
};

// A row that cannot be read is as if it were not there: the lease is taken again.
Result<LeaseRow> row_of(View& view, const PrivateTable<LeaseRow>& table, const std::string& lease) {
  return TRY(table.get(view, DocumentKey::of(lease))).value_or(LeaseRow{});
}

}  // namespace

Result<Leases::Term> Leases::take(const std::string& lease) {
  const auto table = TRY(PrivateTable<LeaseRow>::ensure(database_));
  Term term;
  TRY(database_.transact([&](Transaction& transaction) -> Result<void> {
    LeaseRow row = TRY(row_of(transaction.view(), table, lease));
    const Instant now = transaction.now();
    const bool was_ours = row.holder == holder_;
    const bool is_free = now >= row.until;
    const bool is_to_be_renewed = was_ours && row.until - now <= limits::lease_renewed_below;
    if (is_free || is_to_be_renewed) {
      if (!was_ours) ++row.term;
      row.holder = holder_;
      row.until = now + limits::lease_time;
      TRY(table.put(transaction, DocumentKey::of(lease), row));
    }
    term = {.number = static_cast<std::uint64_t>(row.term),
            .until = row.until,
            .is_ours = row.holder == holder_};
    return {};
  }));
  return term;
}

Result<void> Leases::check(Transaction& transaction, const std::string& lease,
                           std::uint64_t number) const {
  View& view = transaction.view();
  const auto table = PrivateTable<LeaseRow>::find(view.catalog());
  const LeaseRow row = TRY(row_of(view, table, lease));
  if (row.holder == holder_ && static_cast<std::uint64_t>(row.term) == number) return {};
  return fail(Code::stale, "another server has taken the lease '" + lease + "'");
}

}  // namespace mayfly
