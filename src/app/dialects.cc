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
  auto* const head = dynamic_cast<net::HeadHandler*>(dialect.get());
  parts_.push_back({std::move(dialect), head == nullptr ? &silent_ : head});
}

void SharedPort::counts_in(Metrics& metrics) {
  for (Part& part : parts_) {
    part.answers = std::make_unique<AnswerMetrics>(metrics, part.dialect->name());
  }
}

void SharedPort::answered(const net::Request& request, int status, Span took) {
  const auto& answers = of(request).answers;
  if (answers != nullptr) answers->answered(status, took);
}

const SharedPort::Part& SharedPort::of(const net::Request& request) const {
  for (const Part& part : parts_) {
    if (part.dialect->claims(request.path)) return part;
  }
  return parts_.back();
}

net::Response SharedPort::answer(const net::Request& request) {
  Dialect& dialect = *of(request).dialect;
  // The port reads as much as the most generous of its dialects takes; each keeps its own bound.
  if (request.body.size() > dialect.body_bytes_max()) {
    return dialect.refuse({Code::too_large, "the request's body is too large"});
  }
  if (readiness_ != nullptr && !dialect.is_urgent(request)) {
    if (auto in_time = readiness_->is_in_time(); !in_time) return dialect.refuse(in_time.error());
  }
  return dialect.answer(request);
}

bool SharedPort::is_open() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return part.head->is_open(); });
}

bool SharedPort::is_page(const net::Request& request) const {
  return of(request).head->is_page(request);
}

std::string_view SharedPort::body_type(const net::Request& request) const {
  return of(request).head->body_type(request);
}

std::optional<net::Response> SharedPort::refuse_head(const net::Request& request) {
  return of(request).head->refuse_head(request);
}

bool SharedPort::is_costly(const net::Request& request) const {
  return of(request).head->is_costly(request);
}

Error SharedPort::too_many_costly(const net::Request& request) const {
  return of(request).head->too_many_costly(request);
}

bool SharedPort::is_quick(const net::Request& request) const {
  return of(request).dialect->is_quick(request);
}

std::shared_ptr<const void> SharedPort::admit(const net::Request& request) {
  return of(request).dialect->admit(request);
}

bool SharedPort::is_urgent(const net::Request& request) const {
  return of(request).dialect->is_urgent(request);
}

net::Response SharedPort::refuse(const Error& error) const {
  return parts_.back().dialect->refuse(error);
}

std::size_t SharedPort::body_bytes_max() const {
  std::size_t most = 0;
  for (const Part& part : parts_) most = std::max(most, part.dialect->body_bytes_max());
  return most;
}

}  // namespace mayfly::app
