// Run: one execution of a query, with the state that all its parts share: bounds, time, the
// failure. A query whose commit conflicts runs again from the start, as a new Run.
//
// A failure that the query has caused is stored here as a QueryFailure, and the returned Error only
// unwinds the stack. Any other Error (timed_out, contended, corrupt …) is the server's.
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

// Side effects of an evaluation; each level includes those before it.
enum class Effect : std::uint8_t { pure, observation, read, write };

// A context that allows only some effects: "check constraints", "set functions".
struct EffectLimit {
  Effect most = Effect::write;
  std::string_view context = {};
};

struct RunCounts {
  std::uint64_t operations = 0;  // calls and operators; responses report them in units of 50
  std::uint64_t reads = 0;       // documents and pages of sets
  std::uint64_t writes = 0;      // documents and entries of indexes
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t passwords = 0;  // password hashes computed

  std::uint64_t compute_ops() const { return (operations + 49) / 50; }
};

class Run {
 public:
  // `now`: the instant of the snapshot; Time.now() returns it.
  Run(Instant now, Meter meter) : now_(now), meter_(std::move(meter)) {}
  virtual ~Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // --- failing: `return run.fail(…)`; the first failure is kept ---
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
  // Clears the failure so that the query continues: a predicate of a role has failed, which only
  // denies access.
  virtual void forget_failure() { failure_.reset(); }

  // --- bounds ---
  //
  // Counts one or more calls or operators; fails with timed_out.
  Result<void> step(std::uint32_t n = 1) {
    counts_.operations += n;
    return meter_.tick(n);
  }
  // Counts bytes that are about to be made; fails if the query has made too many.
  Result<void> make(std::size_t bytes);
  // Fails with value_too_large over limits::fql_elements_max.
  Result<void> check_elements(std::size_t count);
  // Fails with value_too_large over limits::fql_value_depth_max. To be called for each array and
  // object that a query makes, because traversing and freeing a value are recursive.
  Result<void> check_depth(const FqlValue& value);
  // Counts a text that is about to be made; fails over limits::fql_text_bytes_max.
  Result<void> check_text(std::size_t bytes);
  // The same for a text that is still growing, without counting it as made.
  Result<void> check_growing_text(std::size_t bytes);
  // Counts the memory of a list of values that is about to be evaluated.
  Result<void> make_values(std::size_t count);
  Meter& meter() { return meter_; }

  // --- effects ---
  //
  // Fails with invalid_effect if the context does not allow it: "`create` performs a write, which
  // is not allowed in check constraints."; `action` is the part before "performs".
  Result<void> check_effect(Effect effect, std::string_view action);
  EffectLimit effect_limit() const { return effect_limit_; }
  // Scope guard: restricts the allowed effects, and never extends them.
  class EffectScope {
   public:
    EffectScope(Run& run, EffectLimit limit);
    ~EffectScope() { run_.effect_limit_ = before_; }
    EffectScope(const EffectScope&) = delete;
    EffectScope& operator=(const EffectScope&) = delete;

   private:
    Run& run_;
    const EffectLimit before_;
  };

  // --- calling ---
  //
  // Fails with invalid_function_invocation for a wrong number of arguments, and with
  // stack_overflow.
  Result<FqlValue> call(const Callable& callable, std::span<const FqlValue> arguments);
  // The same for a callback that was passed as the parameter `name`. Fails with invalid_argument if
  // the callback does not take that number of arguments.
  Result<FqlValue> call_back(const Callable& callback, std::string_view name,
                             std::span<const FqlValue> arguments);
  // Calls a predicate. Null counts as false; any other result that is no boolean fails with
  // type_mismatch.
  Result<bool> call_predicate(const Callable& predicate, std::string_view name,
                              std::span<const FqlValue> arguments);
  // The boolean; fails with type_mismatch for any other value.
  Result<bool> boolean(const FqlValue& value);

  // --- documents: the interpreter's (interpreter.h) ---
  //
  // Whether the document exists and may be read; `document` is a document value.
  virtual Result<bool> exists(const FqlValue& document) = 0;
  // The visible fields of a document, with id, coll and ts; fails if it does not exist.
  virtual Result<FqlObject> fields(const FqlValue& document) = 0;
  // The type of a value for messages; `NullDoc` for a missing document.
  Result<std::string> received_type(const FqlValue& value);
  // True for null and for missing documents.
  Result<bool> is_null(const FqlValue& value);
  // `==`; looks up a document that is compared with null.
  Result<bool> equal(const FqlValue& a, const FqlValue& b);
  // An id larger than those before.
  virtual std::string new_id() = 0;

  FqlTime now() const { return FqlTime::of(now_); }
  Instant instant() const { return now_; }
  RunCounts& counts() { return counts_; }

  // Output of log() and dbg(). The interpreter overrides these to add the place of the call.
  virtual void log_display(std::string text);
  virtual void log_debug(std::string text);
  // The output so far, as lines of the summary.
  Logs logs;

 private:
  // Calls it with a valid number of arguments.
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
