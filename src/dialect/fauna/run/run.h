// Run: one run of a query, and what all its parts share: bounds, time, what has failed. A query
// that loses a race runs again from the start, as a new Run.
//
// A failure that the client's query has caused is kept here as a QueryFailure, and the Error that
// is returned only carries it up; any other Error (timed_out, contended, corrupt …) is the
// server's.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/fauna/run/failure.h"
#include "dialect/fauna/run/functions/callable.h"
#include "dialect/fauna/run/logs.h"
#include "dialect/fauna/values/value.h"
#include "expr/evaluation/meter.h"

namespace mayfly::fauna {

// What may be done beside giving a value; each includes those before it.
enum class Effect : std::uint8_t { pure, observation, read, write };

// Where less than everything is allowed: "check constraints", "set functions".
struct EffectLimit {
  Effect most = Effect::write;
  std::string_view context = {};
};

struct RunCounts {
  std::uint64_t operations = 0;  // calls and operators; answers say how many fifties
  std::uint64_t reads = 0;       // documents and pages of sets
  std::uint64_t writes = 0;      // documents and entries of indexes
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t passwords = 0;  // hashed

  std::uint64_t compute_ops() const { return (operations + 49) / 50; }
};

class Run {
 public:
  // `now`: the snapshot, which Time.now() gives.
  Run(Instant now, Meter meter) : now_(now), meter_(std::move(meter)) {}
  virtual ~Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // --- failing: `return run.fail(…)` ---
  // `code` is a row of errors.cc.
  tl::unexpected<Error> fail(std::string_view code, std::string message);
  tl::unexpected<Error> fail(QueryFailure failure);
  // "invalid argument `name`: reason".
  tl::unexpected<Error> fail_argument(std::string_view name, std::string_view reason);
  // "expected value for `name` of type T, received U".
  tl::unexpected<Error> fail_argument_type(std::string_view name, std::string_view type,
                                           const FqlValue& received);
  // "expected type: T, received U", type_mismatch.
  tl::unexpected<Error> fail_type(std::string_view type, const FqlValue& received);
  // "callee function expects exactly 1 argument, but 2 were provided."
  tl::unexpected<Error> fail_arity(Arity arity, std::size_t count);
  tl::unexpected<Error> fail_stack_overflow();
  const std::optional<QueryFailure>& failure() const { return failure_; }
  // The query goes on: what has failed was a predicate of a role, which denies.
  virtual void forget_failure() { failure_.reset(); }

  // --- bounds ---
  // One call or operator, or several; fails with timed_out.
  Result<void> step(std::uint32_t n = 1) {
    counts_.operations += n;
    return meter_.tick(n);
  }
  // So many bytes are about to be made; fails where a query has made too many.
  Result<void> make(std::size_t bytes);
  // Fails with value_too_large over limits::fql_elements_max.
  Result<void> check_elements(std::size_t count);
  // Fails with value_too_large over limits::fql_value_depth_max. To be called for each array and
  // object that a query makes: going through a value is recursive, and so is freeing it.
  Result<void> check_depth(const FqlValue& value);
  // A text of so many bytes is about to be made; fails over limits::fql_text_bytes_max.
  Result<void> check_text(std::size_t bytes);
  // The same of one that is still growing: nothing counts as made.
  Result<void> check_growing_text(std::size_t bytes);
  // So many values are about to lie beside each other while the last of them is evaluated.
  Result<void> make_values(std::size_t count);
  Meter& meter() { return meter_; }

  // --- effects ---
  // Fails with invalid_effect where the context does not allow it: "`create` performs a write,
  // which is not allowed in check constraints."; the action is given as it is shown there.
  Result<void> check_effect(Effect effect, std::string_view action);
  EffectLimit effect_limit() const { return effect_limit_; }
  // While it lives, no more is allowed than that.
  class Within {
   public:
    Within(Run& run, EffectLimit limit);
    ~Within() { run_.effect_limit_ = before_; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    Run& run_;
    const EffectLimit before_;
  };

  // --- calling ---
  // Fails with invalid_function_invocation where it does not take so many arguments, and with
  // stack_overflow.
  Result<FqlValue> call(const Callable& callable, std::span<const FqlValue> arguments);
  // The same for a callback, whose parameter is called `name` in messages; it fails with
  // invalid_argument where the callback takes another number of arguments.
  Result<FqlValue> call_back(const Callable& callback, std::string_view name,
                             std::span<const FqlValue> arguments);
  // What it says, where it is a predicate: null counts as false, all else than a boolean fails with
  // type_mismatch.
  Result<bool> ask(const Callable& predicate, std::string_view name,
                   std::span<const FqlValue> arguments);
  // A boolean, or type_mismatch.
  Result<bool> boolean(const FqlValue& value);

  // --- documents: the interpreter's (interpreter.h) ---
  // Whether a document is there; the value is one.
  virtual Result<bool> exists(const FqlValue& document) = 0;
  // The fields of a document as they are shown, with id, coll and ts; fails where it is not there.
  virtual Result<FqlObject> fields(const FqlValue& document) = 0;
  // The type of a value in messages, `NullDoc` of a document that is not there.
  Result<std::string> received_type(const FqlValue& value);
  // Null, and documents that are not there.
  Result<bool> is_null(const FqlValue& value);
  // `==`; asks whether a document exists where the other is null.
  Result<bool> equal(const FqlValue& a, const FqlValue& b);
  // An id larger than those before.
  virtual std::string new_id() = 0;

  FqlTime now() const { return FqlTime::of(now_); }
  Instant instant() const { return now_; }
  RunCounts& counts() { return counts_; }

  // What log() and dbg() say. The interpreter overrides them to add where it was said.
  virtual void log_display(std::string text);
  virtual void log_debug(std::string text);
  // What they have said, as lines of the summary.
  Logs logs;

 private:
  // With as many arguments as it takes.
  Result<FqlValue> enter(const Callable& callable, std::span<const FqlValue> arguments);

  const Instant now_;
  Meter meter_;
  std::optional<QueryFailure> failure_;
  EffectLimit effect_limit_;
  RunCounts counts_;
  std::size_t made_bytes_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace mayfly::fauna
