// CentraliCall: one request on its way through the dialect, with everything needed to answer it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dialect/centrali/requests/auth.h"
#include "dialect/dialect.h"
#include "net/router.h"

namespace mayfly {
class Transaction;  // db/write/transaction.h
}

namespace mayfly::centrali {

class Directory;
class Functions;

// One line of an error's `details`.
struct Detail {
  std::string field;
  std::string message;
};

// A further write in the same transaction as a write of records.
using ExtraWrite = std::function<Result<void>(Transaction&)>;

struct CentraliCall {
  const net::Request& request;
  const net::Match& match;
  const Services& services;
  const CentraliOptions& options;
  Directory& directory;
  Functions& functions;
  std::string workspace;
  Principal principal;
  // The reasons, if an action fails for several at once. If empty, the Error is the only reason.
  std::vector<Detail> details;
  ExtraWrite extra_write = {};  // with each write of one record; empty: nothing

  Database& database() const { return services.database; }
};

// Answers one route. Fails as errors.h renders it.
using Action = Result<net::Response> (*)(CentraliCall&);

}  // namespace mayfly::centrali
