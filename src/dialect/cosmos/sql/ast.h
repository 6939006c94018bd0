// The syntax tree of a query. Nothing is resolved, checked or simplified, so printing gives the
// query again. Trees are immutable and share their parts: a rewrite makes new nodes around the old
// ones (make_scalar, make_query).
//
// A recursion over a tree is at most limits::sql_query_depth_max deep: the parser refuses higher
// trees.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/sql/diagnostic.h"
#include "value/value.h"

namespace mayfly::cosmos::sql {

struct Scalar;
struct Query;
using ScalarPtr = std::shared_ptr<const Scalar>;
using ScalarList = std::vector<ScalarPtr>;
using QueryPtr = std::shared_ptr<const Query>;

// --- scalar expressions ---

// undefined is the missing value; numbers may be NaN and infinite.
struct Literal {
  Value value;
};
// With the @.
struct Parameter {
  std::string name;
};
// A name that FROM has bound.
struct Name {
  std::string name;
};
// c.name
struct Member {
  ScalarPtr of;
  std::string name;
};
// c["name"], c[0], c[expression]
struct Index {
  ScalarPtr of;
  ScalarPtr index;
};
struct ArrayOf {
  ScalarList items;
};
struct ObjectOf {
  std::vector<std::pair<std::string, ScalarPtr>> members;
};

enum class UnaryOperator : std::uint8_t { plus, minus, bitwise_not, logical_not };
struct Unary {
  UnaryOperator op;
  ScalarPtr operand;
};

enum class BinaryOperator : std::uint8_t {
  multiply,
  divide,
  modulo,
  add,
  subtract,
  shift_left,
  shift_right,
  shift_right_zero,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  bitwise_and,
  bitwise_xor,
  bitwise_or,
  concat,
  coalesce
};
struct Binary {
  BinaryOperator op;
  ScalarPtr left;
  ScalarPtr right;
};

// a AND b AND c, from the left: the first operand never has the same operator. There are at least
// two operands.
enum class LogicalOperator : std::uint8_t { logical_and, logical_or };
struct Logical {
  LogicalOperator op;
  ScalarList operands;
};

struct Between {
  bool is_negated = false;
  ScalarPtr value;
  ScalarPtr low;
  ScalarPtr high;
};
struct In {
  bool is_negated = false;
  ScalarPtr value;
  ScalarList items;
};
struct Like {
  bool is_negated = false;
  ScalarPtr value;
  ScalarPtr pattern;
  std::optional<std::string> escape;  // one character
};
// condition ? yes : no
struct Conditional {
  ScalarPtr condition;
  ScalarPtr yes;
  ScalarPtr no;
};
// The name is as written. Its case is ignored unless the function is user-defined.
struct ScalarCall {
  bool is_user_defined = false;
  std::string name;
  TextRange name_range;
  ScalarList arguments;
};
enum class SubqueryKind : std::uint8_t { scalar, exists, array, all, first, last };
struct Subquery {
  SubqueryKind kind;
  QueryPtr query;
};
// {documentdb-formattableorderbyquery-filter}
struct OrderByFilter {};

struct Scalar {
  using Node =
      std::variant<Literal, Parameter, Name, Member, Index, ArrayOf, ObjectOf, Unary, Binary,
                   Logical, Between, In, Like, Conditional, ScalarCall, Subquery, OrderByFilter>;
  Node node;
  TextRange range;
  std::uint32_t height = 1;  // nodes from here to the deepest leaf, also those of subqueries

  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
};

// --- queries ---

struct SelectAll {
  TextRange range;
};
struct SelectValue {
  ScalarPtr value;
};
struct SelectItem {
  ScalarPtr value;
  std::optional<std::string> alias;
};
struct SelectList {
  std::vector<SelectItem> items;
};
using Selection = std::variant<SelectAll, SelectValue, SelectList>;

// A number of rows, or the parameter that holds it.
struct Count {
  std::variant<std::int64_t, Parameter> rows;
  TextRange range;
};

// A source of FROM or JOIN. A scalar is a path (a name or parameter, members and constant indexes)
// or an array.
struct Source {
  // whole: `collection AS alias`; items: `alias IN collection`, which has an alias always.
  enum class Binding : std::uint8_t { whole, items };
  Binding binding = Binding::whole;
  std::variant<ScalarPtr, QueryPtr> collection;
  std::optional<std::string> alias;
  TextRange range;
};

enum class Direction : std::uint8_t { unstated, ascending, descending };
struct OrderItem {
  ScalarPtr value;
  Direction direction = Direction::unstated;
};
struct Ordering {
  enum class By : std::uint8_t { value, rank };
  By by = By::value;
  std::vector<OrderItem> items;
};

struct Slice {
  Count offset;
  Count limit;
};

struct Query {
  bool is_distinct = false;
  std::optional<Count> top;
  Selection selection;
  std::vector<Source> from;  // joined in this order; none without a FROM clause
  ScalarPtr where;           // may be null
  ScalarList group_by;
  std::optional<Ordering> order_by;
  std::optional<Slice> slice;
  TextRange range;
  std::uint32_t height = 1;  // as Scalar's
};

// Make a node of the tree. Both compute the height.
ScalarPtr make_scalar(Scalar::Node node, TextRange range = {});
QueryPtr make_query(Query query);

// Visits the direct children of a node, from left to right; a subquery is not entered.
void for_each_child(const Scalar& scalar, const std::function<void(const ScalarPtr&)>& act);
// Visits the expressions of a query's own clauses; queries in FROM are not entered.
void for_each_scalar(const Query& query, const std::function<void(const ScalarPtr&)>& act);

// The name of a value without an alias: the last step of a path. Nothing for all others.
std::optional<std::string> implied_name(const Scalar& scalar);
// The name by which the query refers to a source: its alias, or the last step of its path.
std::optional<std::string> name_of(const Source& source);
// The names of the members of the rows; items without a name are numbered.
std::vector<std::string> names_of(const SelectList& list);
// The name of the document in a whole query, from its first source. Nothing if the query reads no
// documents, or if another source has the same name.
std::optional<std::string> document_name(const Query& query);

}  // namespace mayfly::cosmos::sql
