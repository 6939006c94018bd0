// Checker: goes over the tree of a program once, and finds for each expression the type of its
// value and what cannot be right. What it cannot prove it lets pass.
//
// Threads: one at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/fauna/check/types/known.h"
#include "dialect/fauna/check/types/static_type.h"
#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/parsed.h"
#include "expr/evaluation/meter.h"

namespace mayfly::fauna {

class Checker {
 public:
  using Frame = StaticList;

  // `meter` is asked for time at each node.
  Checker(KnownTypes& known, Meter& meter) : known_(known), meter_(meter) {}

  // The type of the value; Any where it is not known, or where checking has ended.
  StaticPtr infer(const Expression& expression, Frame& frame);
  // The same of a value that must be of a type: lambdas learn from it what they are called with.
  StaticPtr check(const Expression& expression, const StaticPtr& wanted, Frame& frame);
  // Reports an error where a value at `at` does not fit.
  void require(const StaticPtr& given, const StaticPtr& wanted, Span at);

  Diagnostics errors;  // limits::fql_errors_max at most: then checking ends
  Diagnostics warnings;
  // The server's own failure: no time is left.
  const std::optional<Error>& error() const { return error_; }

 private:
  // What a value has under a name: a field, or a row of the library.
  struct Found {
    StaticPtr type;
    const Method* row = nullptr;
    RowTypes types = {};
  };
  // A call that is being checked.
  struct Called {
    const ExpressionList& arguments;
    Span span;  // its brackets
  };

  StaticPtr of(const Literal& literal, Span at, Frame& frame);
  StaticPtr of(const TextTemplate& text, Span at, Frame& frame);
  StaticPtr of(const ObjectOf& object, Span at, Frame& frame);
  StaticPtr of(const ArrayOf& array, Span at, Frame& frame);
  StaticPtr of(const Block& block, Span at, Frame& frame);
  StaticPtr of(const If& whole, Span at, Frame& frame);
  StaticPtr of(const At& whole, Span at, Frame& frame);
  StaticPtr of(const Lambda& lambda, Span at, Frame& frame);
  StaticPtr of(const Variable& variable, Span at, Frame& frame);
  StaticPtr of(const Chain& chain, Span at, Frame& frame);
  StaticPtr of(const Unary& unary, Span at, Frame& frame);
  StaticPtr of(const Operations& operations, Span at, Frame& frame);
  StaticPtr of(const Projection& projection, Span at, Frame& frame);

  StaticPtr lambda_type(const Lambda& lambda, const StaticType* wanted, Frame& frame);
  void declare(const Let& let, Frame& frame);
  StaticPtr operate(const StaticPtr& left, const Operation& operation, Span left_at, Frame& frame);
  StaticPtr projected(const StaticPtr& type, const Projection& projection, Frame& frame);
  StaticPtr project_one(const StaticPtr& type, const Lambda& element, Frame& frame);

  // --- chains (chains.cc) ---
  StaticPtr take(const StaticPtr& value, const Step& step, Span before, Frame& frame);
  StaticPtr take_field(const StaticPtr& value, std::string_view name, Span at, Span before);
  StaticPtr take_method(const StaticPtr& value, const MethodStep& step, Span at, Span before,
                        Frame& frame);
  StaticPtr take_index(const StaticPtr& value, const IndexStep& step, Span at, Span before,
                       Frame& frame);
  StaticPtr take_call(const StaticPtr& value, const CallStep& step, Span at, Span before,
                      Frame& frame);
  StaticPtr index_one(const StaticPtr& value, const StaticPtr& by, Span at);
  StaticPtr call_type(const StaticPtr& callee, const Called& call, Span at, Frame& frame);
  StaticPtr call_found(const Found& found, const Called& call, Span at, Frame& frame);
  StaticPtr call_row(const Method& row, const RowTypes& types, const Called& call, Frame& frame);
  StaticPtr call_function(const StaticType& function, const Called& call, Frame& frame);
  bool check_arity(Arity arity, const Called& call);
  void infer_all(const ExpressionList& list, Frame& frame);
  // The value without what is null in it, which is an error with `message`.
  StaticPtr needed(const StaticPtr& value, std::string_view message, Span at, Span before);

  // --- members (members.cc) ---
  // Nothing where the type has none of that name.
  std::optional<Found> find(const StaticType& type, std::string_view name);
  std::optional<Found> find_in_document(const StaticType& type, std::string_view name);
  std::optional<Found> find_in_module(const StaticType& type, std::string_view name);

  // --- writes (writes.cc) ---
  // What a row that writes is given, where the collection is a user's.
  StaticPtr written_type(const Method& row, const RowTypes& types);

  void report(Diagnostic error);
  bool may_go_on(const StaticPtr& type);

  KnownTypes& known_;
  Meter& meter_;
  std::optional<Error> error_;
};

}  // namespace mayfly::fauna
