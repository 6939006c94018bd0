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
      {.name = "centrali",
       .port_setting = "native.port",
       .make = make_centrali,
       .closed_by = "auth.keys",
       .make_internal = hide_centrali_data},
      {"native", "native.port", make_native, "auth.keys"},
      {.name = "cosmos",
       .port_setting = "cosmos.port",
       .make = make_cosmos,
       .closed_by = "cosmos.key",
       .wants_tls = true},
      {.name = "kuzzle",
       .port_setting = "kuzzle.port",
       .make = make_kuzzle,
       .closed_by = "a restricted role anonymous",
       .make_internal = hide_kuzzle_data,
       .answers_preflights = true},
  };
  return rows;
}

void SharedPort::add(std::unique_ptr<Dialect> dialect) {
  parts_.push_back({std::move(dialect)});
}

void SharedPort::counts_in(Metrics& metrics) {
  for (Part& part : parts_) {
    part.answers = std::make_unique<AnswerMetrics>(metrics, part.dialect->name());
  }
}

SharedPort::Part& SharedPort::of(std::string_view path) {
  for (Part& part : parts_) {
    if (part.dialect->claims(path)) return part;
  }
  return parts_.back();
}

net::Accepted& SharedPort::begin(const net::Request& request, net::AcceptedStorage& storage) {
  Part& part = of(request.path);
  net::Accepted& accepted = part.dialect->begin(request, storage);
  accepted.body_bytes_max = part.dialect->body_bytes_max();
  accepted.meter = part.answers.get();
  return accepted;
}

net::Response SharedPort::refuse(const Error& error) const {
  return parts_.back().dialect->refuse(error);
}

std::size_t SharedPort::body_bytes_max() const {
  std::size_t most = 0;
  for (const Part& part : parts_) most = std::max(most, part.dialect->body_bytes_max());
  return most;
}

bool SharedPort::is_open() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return part.dialect->is_open(); });
}

Result<void> SharedPort::may_answer() const {
  return readiness_ == nullptr ? Result<void>{} : readiness_->is_in_time();
}

}  // namespace mayfly::app
