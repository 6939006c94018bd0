// Shared by tests of the library: a run without a database, and functions to call back.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dialect/fauna/library/method.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/values/text/text.h"
#include "dialect/fauna/values/text/times.h"

namespace mayfly::fauna {

// Its time is 2024-01-02T03:04:05Z; its documents are those of `documents`, all of collection Foo.
class TestRun : public Run {
 public:
  explicit TestRun(Meter meter = {})
      : Run(parse_time("2024-01-02T03:04:05Z")->instant(), std::move(meter)) {}

  Result<bool> exists(const FqlValue& document) override {
    return documents.contains(document.document()->id);
  }
  Result<FqlObject> fields(const FqlValue& document) override {
    return documents.at(document.document()->id);
  }
  std::string new_id() override { return std::to_string(++last_id_); }

  std::map<std::string, FqlObject> documents;

 private:
  int last_id_ = 100;
};

inline FqlValue document(std::string id) {
  return DocumentHandle{.collection = "Foo", .id = std::move(id)};
}

// A lambda implemented in C++ by a test.
class TestFunction final : public Callable {
 public:
  using Body = std::function<Result<FqlValue>(Run& run, std::span<const FqlValue> arguments)>;
  TestFunction(std::size_t parameters, Body body)
      : parameters_(parameters), body_(std::move(body)) {}
  std::string_view name() const override { return "<lambda>"; }
  Arity arity() const override { return {parameters_, parameters_}; }
  Result<FqlValue> call(Run& run, std::span<const FqlValue> arguments) const override {
    return body_(run, arguments);
  }

 private:
  std::size_t parameters_;
  Body body_;
};

inline FqlValue function_of(std::size_t parameters, TestFunction::Body body) {
  return std::shared_ptr<const Callable>(
      std::make_shared<const TestFunction>(parameters, std::move(body)));
}
inline FqlValue function_of_one(std::function<FqlValue(const FqlValue&)> body) {
  return function_of(1, [body = std::move(body)](Run&, std::span<const FqlValue> arguments) {
    return Result<FqlValue>(body(arguments[0]));
  });
}

// The debug text of the result, a Long with the suffix L; for a failure its code and message.
inline std::string outcome(const Run& run, const Result<FqlValue>& result) {
  if (!result) {
    if (!run.failure()) return "error: " + result.error().message;
    return run.failure()->code + ": " + run.failure()->message;
  }
  const bool is_long = result->is(FqlKind::whole) && result->whole().is_long;
  return debug_text(*result) + (is_long ? "L" : "");
}

using Values = std::vector<FqlValue>;

inline std::string outcome_of(Run& run, const Method* method, const FqlValue& self,
                              const Values& arguments) {
  if (method == nullptr) return "no such function";
  return outcome(run, call_method(run, *method, self, arguments));
}
// The result of a method. Each call has its own run.
inline std::string of_method(const FqlValue& self, std::string_view name,
                             const Values& arguments = {}) {
  TestRun run;
  return outcome_of(run, find_method(type_of_methods(self), name), self, arguments);
}
inline std::string of_static(std::string_view module, std::string_view name,
                             const Values& arguments = {}) {
  TestRun run;
  return outcome_of(run, find_static(module, name), FqlValue(), arguments);
}
inline std::string of_global(std::string_view name, const Values& arguments = {}) {
  TestRun run;
  return outcome_of(run, find_global(name), FqlValue(), arguments);
}

inline FqlValue array_of(FqlArray items) {
  return items;
}

}  // namespace mayfly::fauna
