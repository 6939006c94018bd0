// Closure: a lambda with its captured values.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "dialect/fauna/run/functions/callable.h"
#include "dialect/fauna/syntax/ast.h"

namespace mayfly::fauna {

// Keeps its program alive. Threads: immutable.
class Closure final : public Callable {
 public:
  // `at`: the instant as of which it reads; nullopt: now.
  Closure(ProgramPtr program, const Lambda& lambda, Span span, std::vector<FqlValue> captured,
          std::optional<Instant> at)
      : program_(std::move(program)),
        lambda_(lambda),
        span_(span),
        captured_(std::move(captured)),
        at_(at) {}

  std::string_view name() const override { return "<lambda>"; }
  Arity arity() const override;
  std::uint16_t depth() const override;
  Result<FqlValue> call(Run& run, std::span<const FqlValue> arguments) const override;

  const Lambda& lambda() const { return lambda_; }
  Span span() const { return span_; }
  const ProgramPtr& program() const { return program_; }
  // In the order of Lambda::captures.
  const std::vector<FqlValue>& captured() const { return captured_; }
  std::optional<Instant> at() const { return at_; }

 private:
  const ProgramPtr program_;
  const Lambda& lambda_;
  const Span span_;
  const std::vector<FqlValue> captured_;
  const std::optional<Instant> at_;
};

}  // namespace mayfly::fauna
