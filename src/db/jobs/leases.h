// Leases: which of several servers on one store runs a job. A lease is a row of a private table:
// its holder, the number of its term, and the instant at which the term ends. When a term is over,
// a server takes the lease by a commit that is guarded by the row, so that only one of several
// servers succeeds. The next holder's term has a greater number. A job can make its commits depend
// on its term (a fencing token, check()): if a server has stood still for longer than its lease,
// the row has another term, and its commit fails. So safety does not depend on clocks; only the
// moment of a takeover does.
//
// A store that only one process can open needs no leases: there Jobs has none, and nothing is
// written (docs/decisions/0025-jobs.md).
#pragma once

#include <cstdint>
#include <string>

#include "db/database.h"

namespace mayfly {

// Threads: any.
class Leases {
 public:
  // `holder` names this server; no other server on the store has its name. The database outlives
  // this.
  Leases(Database& database, std::string holder)
      : database_(database), holder_(std::move(holder)) {}

  struct Term {
    std::uint64_t number = 0;  // 1 and more; grows whenever the holder changes
    Instant until;             // by the database's clock
    bool is_ours = false;
  };
  // The present term. Takes the lease if no server has it. Renews this server's own term once a
  // third of its time is over. Another server's term is not an error. Fails as Database::transact.
  Result<Term> take(const std::string& lease);
  // Makes the commit of `transaction` depend on that term of this server. Fails with stale if
  // another server has taken the lease; if one takes it before the commit, the commit fails. A term
  // whose time is over is still valid until another server takes the lease.
  Result<void> check(Transaction& transaction, const std::string& lease,
                     std::uint64_t number) const;

 private:
  Database& database_;
  const std::string holder_;
};

}  // namespace mayfly
