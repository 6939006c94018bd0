#include "app/dialects.h"

#include <algorithm>

#include "dialect/centrali/centrali.h"
#include "dialect/cosmos/cosmos.h"
#include "dialect/kuzzle/kuzzle.h"
#include "dialect/native/native.h"

namespace mayfly::app {

const std::vector<DialectRow>& dialects() {
  // Native stands last on its port: it answers for every path that nobody else claims.
  static const std::vector<DialectRow> rows{
      {"centrali", "native.port", make_centrali},
      {"native", "native.port", make_native},
      {"cosmos", "cosmos.port", make_cosmos, true},
      {.name = "kuzzle",
       .port_setting = "kuzzle.port",
       .make = make_kuzzle,
       .answers_preflights = true},
  };
  return rows;
}

Dialect& SharedPort::of(const net::Request& request) const {
  for (const auto& dialect : dialects_) {
    if (dialect->claims(request.path)) return *dialect;
  }
  return *dialects_.back();
}

net::Response SharedPort::answer(const net::Request& request) {
  Dialect& dialect = of(request);
  // The port reads as much as the most generous of its dialects takes; each keeps its own bound.
  if (request.body.size() > dialect.body_bytes_max()) {
    return dialect.refuse({Code::too_large, "the request's body is too large"});
  }
  if (readiness_ != nullptr && !dialect.is_urgent(request)) {
    if (auto in_time = readiness_->is_in_time(); !in_time) return dialect.refuse(in_time.error());
  }
  return dialect.answer(request);
}

bool SharedPort::is_quick(const net::Request& request) const {
  return of(request).is_quick(request);
}

std::shared_ptr<const void> SharedPort::admit(const net::Request& request) {
  return of(request).admit(request);
}

bool SharedPort::is_urgent(const net::Request& request) const {
  return of(request).is_urgent(request);
}

net::Response SharedPort::refuse(const Error& error) const {
  return dialects_.back()->refuse(error);
}

std::size_t SharedPort::body_bytes_max() const {
  std::size_t most = 0;
  for (const auto& dialect : dialects_) most = std::max(most, dialect->body_bytes_max());
  return most;
}

}  // namespace mayfly::app
