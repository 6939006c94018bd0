// Lowering: turns the clauses and expressions of one query into those of the core. Private to sql/.
// It is used once. The input and the target outlive it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dialect/cosmos/sql/lower.h"
#include "dialect/cosmos/sql/lowering/clauses.h"

namespace mayfly::cosmos::sql {

class Lowering {
 public:
  Lowering(const QueryInput& input, const Target& target)
      : asked_(input),
        target_(target),
        rows_(target.rows),
        are_documents_(target.container != nullptr) {}

  // Lowers a whole query.
  Result<query::QueryPtr> query(const Query& query);
  Result<ExprPtr> scalar(const ScalarPtr& scalar);
  // From now on the name means the document of the row.
  void bind_row(std::string name);

 private:
  // The meaning of a name: the row's document, or a value.
  struct Binding {
    std::string name;
    ExprPtr value;  // null: the row's document
  };
  // The state while the clauses after GROUP BY are lowered, with their subqueries. Keys and
  // aggregates are fields of the group. A grouping applies to the names that its own query has
  // bound. Names bound by a subquery are not affected, and the outer grouping applies to names of
  // outer queries.
  struct Grouping {
    std::vector<std::string> keys;  // in normal form
    Clauses* clauses = nullptr;
    Grouping* outer = nullptr;
    std::size_t level = 0;                  // of the query
    std::size_t from = 0;                   // the first of its bindings
    std::size_t behind = 0;                 // one past the last of them
    std::vector<TextRange> ungrouped = {};  // names that are neither a key nor in an aggregate
  };

  // --- clauses (query.cc) ---
  Result<Clauses> clauses(const Query& query, bool is_outermost);
  Result<void> take_source(const Source& source, Clauses& clauses);
  Result<void> take_groups(const Query& query, Clauses& clauses);
  Result<void> take_selection(const Query& query, Clauses& clauses);
  Result<void> take_order(const Query& query, bool is_outermost, Clauses& clauses);
  Result<void> check_order_of_one_row(const Ordering& ordering);
  Result<void> take_slice(const Query& query, Clauses& clauses);
  Result<std::size_t> rows_of(const Count& count, std::string_view clause, std::string_view code);
  Result<ExprPtr> selected_list(const SelectList& list);
  query::QueryPtr in_order_of_target(query::QueryPtr rows, const Clauses& clauses) const;
  query::QueryPtr to_query(Clauses clauses, query::QueryPtr rows, bool has_documents) const;
  Result<void> bind_first(const Source& source, Clauses& clauses);
  bool is_row_itself(const ScalarPtr& value) const;

  // --- expressions (scalar.cc, function_call.cc) ---
  Result<ExprPtr> node(const Scalar& scalar);
  Result<ExprPtr> path(const Scalar& scalar);
  Result<ExprPtr> name(const Name& name, TextRange range);
  Result<ExprPtr> array(const ArrayOf& array);
  Result<ExprPtr> between(const Between& between);
  // Fails if the expression is too large to be copied.
  Result<void> check_copied(const ExprPtr& e, TextRange range) const;

  // --- groups (grouping.cc) ---
  Grouping* grouping_for(std::string_view name) const;  // null: no grouping applies to the name
  bool applies_to_names(const Scalar& scalar, const Grouping& grouping) const;
  ExprPtr key_of(const Scalar& scalar) const;  // null: it is no key
  bool goes_by_steps(const ScalarPtr& scalar) const;
  Result<void> check_ungrouped(const Grouping& grouping) const;
  void take_ungrouped(const Scalar& of, const Scalar& whole);
  // --- more expressions, and checks of their sizes (scalar.cc, function_call.cc, subquery.cc) ---
  Result<ExprPtr> member_of_row(const std::vector<Step>& steps);
  Result<ExprPtr> in(const In& in);
  Result<ExprPtr> like(const Like& like);
  Result<ExprPtr> call(const ScalarCall& call, TextRange range);
  Result<std::string> full_text_language(const ScalarCall& call, TextRange range) const;
  Result<ExprPtr> user_call(const ScalarCall& call, TextRange range);
  Result<ExprPtr> aggregate(const ScalarCall& call, TextRange range);
  Result<void> check_sizes(const Clauses& clauses, TextRange range) const;
  Result<ExprPtr> subquery(const Subquery& subquery);
  Result<ExprPtr> array_of_rows(const QueryPtr& query, SubqueryKind kind);
  Result<ExprList> all(const ScalarList& scalars);
  const Binding* find(std::string_view name) const;
  Value parameter(const std::string& name) const;
  const Object& container_definition()
      const;  // the container's definition; empty for rows that are values
  tl::unexpected<Error> refuse(std::string_view code, std::string message, TextRange range) const;

  const QueryInput& asked_;
  const Target& target_;
  query::QueryPtr rows_;  // of the first source
  bool are_documents_;
  std::vector<Binding> bindings_;
  Slot next_slot_ = 1;
  Grouping* grouping_ = nullptr;
  std::size_t level_ = 0;   // how many nested queries are being lowered
  bool is_within_ = false;  // within another query, which has made the rows
  bool is_in_aggregate_ = false;
  bool is_computing_ = false;  // in a computed property, which must not use another one
  std::size_t user_calls_ = 0;
};

// The expression without values that JSON cannot represent: NaN and infinite numbers. Unchanged if
// the expression cannot produce any.
ExprPtr written(ExprPtr selected, const Clauses& clauses, bool are_finite_rows);
// Whether the value may be NaN or infinite, or contain such a number.
bool may_be_infinite(const Expr& e);

bool holds_subquery(const Scalar& scalar);

// The constant steps at the end of an expression, and the expression that they begin at. If there
// are no steps, this is the expression itself.
struct Steps {
  ScalarPtr from;  // never null
  std::vector<Step> steps;
};
Steps steps_of(const ScalarPtr& scalar);
// The step of an index; nothing if it depends on the row.
std::optional<Step> constant_step(const Scalar& index);
// A path into the value of an expression; if that is a field, a longer field.
ExprPtr walk(ExprPtr from, const std::vector<Step>& steps);

// A system property of the row's document, such as `_ts`; null pointer for every other name.
ExprPtr system_property(const Container& container, std::string_view name);
// The document as clients see it.
ExprPtr whole_document(const Container& container);

}  // namespace mayfly::cosmos::sql
