// Checker: walks the tree of a program once, infers the type of each expression, and reports what
// must fail. It accepts whatever it cannot prove wrong.
//
// Threads: one at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/fauna/check/types/static_type.h"
#include "dialect/fauna/check/types/type_resolver.h"
#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/parsed.h"
#include "expr/evaluation/meter.h"

namespace mayfly::fauna {

class Checker {
 public:
  using Frame = StaticList;

  // `meter` is checked for the deadline at each node.
  Checker(TypeResolver& known, Meter& meter) : known_(known), meter_(meter) {}

  // The type of the expression's value; Any if it is unknown or checking has ended.
  StaticPtr infer(const Expression& expression, Frame& frame);
  // The same for a value that must be of a given type. Lambdas get their parameter types from it.
  StaticPtr check(const Expression& expression, const StaticPtr& expected, Frame& frame);
  // Reports an error if the value at `at` does not fit.
  void require(const StaticPtr& actual, const StaticPtr& expected, Span at);

  Diagnostics errors;  // checking ends after limits::fql_errors_max
  Diagnostics warnings;
  // A failure that the query did not cause, such as a passed deadline.
  const std::optional<Error>& error() const { return error_; }

 private:
  // A member of a value: a field, or a method of the library.
  struct Found {
    StaticPtr type;
    const Method* row = nullptr;
    RowTypes types = {};
  };
  // The call that is being checked.
  struct Called {
    const ExpressionList& arguments;
    Span span;  // the parentheses
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

  StaticPtr lambda_type(const Lambda& lambda, const StaticType* expected, Frame& frame);
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
  // The type without its null part. Reports an error with `message` if it has one.
  StaticPtr needed(const StaticPtr& value, std::string_view message, Span at, Span before);

  // --- members (members.cc) ---
  //
  // nullopt if the type has no member of that name.
  std::optional<Found> find(const StaticType& type, std::string_view name);
  std::optional<Found> find_in_document(const StaticType& type, std::string_view name);
  std::optional<Found> find_in_module(const StaticType& type, std::string_view name);

  // --- writes (writes.cc) ---
  //
  // The type of the argument of a method that writes a document; only for users' collections.
  StaticPtr written_type(const Method& row, const RowTypes& types);

  void report(Diagnostic error);
  bool may_continue(const StaticPtr& type);

  TypeResolver& known_;
  Meter& meter_;
  std::optional<Error> error_;
};

}  // namespace mayfly::fauna
