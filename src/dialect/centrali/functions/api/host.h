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
struct FunctionEnvironment {
  const Services& services;
  const CentraliOptions& options;
  Directory& directory;
  Functions& functions;
  const SendCall& send;  // for requests over HTTP
  std::string workspace;
  std::string author;      // of the records that it writes
  Instant stop_at;         // on the scale of monotonic_now()
  ExtraWrite extra_write;  // in the transaction of each write; empty: nothing
};

// Threads: the one that runs the function.
class FunctionHost {
 public:
  // The environment outlives it.
  explicit FunctionHost(const FunctionEnvironment& place) : environment_(place) {}

  // {"value": …}, or {"error": {"message", …}} if the function may handle the error itself.
  Result<Value> answer(std::string_view name, std::span<const Value> arguments);
  const std::string& log() const { return log_; }

 private:
  struct Operation;
  static const Operation operations_[];
  using Arguments = std::span<const Value>;
  struct Request;

  Result<Value> create(Arguments arguments);
  Result<Value> update(Arguments arguments);
  Result<Value> upsert(Arguments arguments);
  Result<Value> remove(Arguments arguments);
  Result<Value> restore(Arguments arguments);
  Result<Value> read(Arguments arguments);
  Result<Value> query(Arguments arguments);
  Result<Value> send(Arguments arguments);

  Result<void> count(const Operation& operation);
  Result<Value> run_action(Action action, Request request);
  void take_log(std::string_view level, std::string_view text);

  const FunctionEnvironment& environment_;
  std::string log_;
  std::size_t calls_ = 0;
  std::size_t writes_ = 0;
  std::size_t requests_ = 0;
};

}  // namespace mayfly::centrali
