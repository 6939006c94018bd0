// FunctionHost: the operations that one run of a compute function may call, and its log. Each write
// is a transaction of its own. It is made by the action that answers the same request of a client,
// so the same rules apply.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "dialect/centrali/call.h"
#include "dialect/centrali/webhooks/target.h"

namespace mayfly::centrali {

// What a function runs on.
struct FunctionPlace {
  const Services& services;
  const CentraliOptions& options;
  Directory& directory;
  Functions& functions;
  const SendCall& send;  // for requests over HTTP
  std::string workspace;
  std::string author;  // of the records that it writes
  Instant stop_at;     // on the scale of monotonic_now()
  WriteBeside beside;  // in the transaction of each write; empty: nothing
};

// Threads: the one that runs the function.
class FunctionHost {
 public:
  // The environment outlives it.
  explicit FunctionHost(const FunctionPlace& place) : place_(place) {}

  // {"value": …}, or {"error": {"message", …}} if the function may handle the error itself.
  Result<Value> answer(std::string_view name, std::span<const Value> arguments);
  const std::string& log() const { return log_; }

 private:
  struct Operation;
  static const Operation operations_[];
  using Arguments = std::span<const Value>;
  struct Request;

  Result<Value> create(Arguments given);
  Result<Value> update(Arguments given);
  Result<Value> upsert(Arguments given);
  Result<Value> remove(Arguments given);
  Result<Value> restore(Arguments given);
  Result<Value> read(Arguments given);
  Result<Value> query(Arguments given);
  Result<Value> send(Arguments given);

  Result<void> count(const Operation& operation);
  Result<Value> ask(Action action, Request request);
  void take_log(std::string_view level, std::string_view text);

  const FunctionPlace& place_;
  std::string log_;
  std::size_t calls_ = 0;
  std::size_t writes_ = 0;
  std::size_t requests_ = 0;
};

}  // namespace mayfly::centrali
