// The lowering of one search's query language into expressions of the core. Private to the folder.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/kuzzle/search/search.h"

namespace mayfly::kuzzle::search {

// The values of a field name.
struct FieldValues {
  FieldType type = FieldType::dynamic;
  // If true, `values` is one value: a text, an instant or a boolean, as `type` says, or null or
  // missing. If false, `values` is an array.
  bool is_fact = false;
  ExprPtr values;
  std::string name = {};  // for highlights; empty: all fields
};

class Lowering {
 public:
  // New slots are above `slots`.
  explicit Lowering(const Language& language, Slot slots = 0)
      : language_(language), slots_(slots) {}

  Instant now() const { return language_.now; }
  FieldValues find(std::string_view name) const;
  // Every value in the row.
  FieldValues everywhere() const;
  // The unchanged value at a name, whose path must not lead through arrays.
  ExprPtr whole(std::string_view name) const;

  // Whether the predicate holds for one of the values; never missing. `is` is called once, with an
  // expression that stands for any one value.
  using Is = std::function<ExprPtr(const ExprPtr&)>;
  ExprPtr any(const FieldValues& of, const Is& is);
  Slot new_slot() { return ++slots_; }
  // The texts in which scores count words. The same values give the same pointer, so that their
  // words are counted once.
  ExprPtr scored_texts(const FieldValues& of);

  // Counts one more clause. Fails with too_large.
  Result<void> enter(const std::string& place, std::size_t depth);

  // Records search terms of one kind in these values, for highlights.
  void record_terms(HighlightTerm::Kind kind, const FieldValues& of, std::vector<std::string> texts,
                    bool ends_in_prefix = false);
  // The same for a condition on a word or a value.
  void record_condition(HighlightTerm::Kind kind, const FieldValues& of, const Is& is);

  // While it lives, no search terms are recorded: terms that a hit must not have are not
  // highlighted.
  class MarkingSuspended {
   public:
    explicit MarkingSuspended(Lowering& lowering) : lowering_(lowering) { ++lowering_.suspended_; }
    ~MarkingSuspended() { --lowering_.suspended_; }
    MarkingSuspended(const MarkingSuspended&) = delete;

   private:
    Lowering& lowering_;
  };

  // While it lives, names below `path` are resolved within the slot's value.
  class Nested {
   public:
    Nested(Lowering& lowering, std::string path, Slot slot) : lowering_(lowering) {
      lowering_.nested_.push_back({std::move(path), slot});
    }
    ~Nested() { lowering_.nested_.pop_back(); }
    Nested(const Nested&) = delete;

   private:
    Lowering& lowering_;
  };

 private:
  struct Item {
    std::string path;
    Slot slot = 0;
  };
  struct Location {
    std::vector<std::string> path;  // within the slot's value
    Slot slot = 0;
  };
  Location where(std::string_view name) const;
  bool records_terms() const { return language_.highlight_terms != nullptr && suspended_ == 0; }

  const Language& language_;
  std::vector<Item> nested_;
  std::map<std::string, ExprPtr> texts_;  // by the text of the values' expression
  Slot slots_;
  std::size_t clauses_ = 0;
  std::size_t suspended_ = 0;
};

// --- conditions on one value ---

inline ExprPtr false_if_missing(ExprPtr condition) {
  return expr::if_missing(std::move(condition), expr::literal(false));
}

// Whether one of the values equals this one. Fails with invalid if no value of that type can.
Result<ExprPtr> equals(Lowering& lowering, const FieldValues& of, const Value& expected,
                       const std::string& place);
Result<ExprPtr> equals_any(Lowering& lowering, const FieldValues& of, const Array& expected,
                           const std::string& place);

struct RangeBound {
  std::string_view function;  // less, less_or_equal, greater, greater_or_equal
  Value value;
};
// Whether one of the values satisfies all bounds.
Result<ExprPtr> within(Lowering& lowering, const FieldValues& of,
                       const std::vector<RangeBound>& bounds, const std::string& place);
ExprPtr has_any_value(Lowering& lowering, const FieldValues& of);

// Whether one of the values, or one word of a text, satisfies the predicate.
ExprPtr matches(Lowering& lowering, const FieldValues& of, const Lowering::Is& is);
// Translates a pattern of * and ?, or a regular expression, into an anchored pattern of RE2. Fail
// with invalid or too_large.
Result<std::string> wildcard_pattern(std::string_view wildcard, const std::string& place);
Result<std::string> regexp_pattern(std::string_view regexp, const std::string& place);
Result<ExprPtr> matches_pattern(Lowering& lowering, const FieldValues& of,
                                const std::string& pattern, const std::string& place);

enum class MatchKind { words, phrase, phrase_prefix };
struct Match {
  MatchKind kind = MatchKind::words;
  bool needs_all = false;
  Value words_min = {};  // minimum_should_match
};
// Whether the values match a text. Matches other than by words have the score 1.
Result<Clause> match(Lowering& lowering, const FieldValues& of, const Value& expected,
                     const Match& how, const std::string& place);
// The words of a text that is searched for. Fails with too_large.
Result<std::vector<std::string>> search_words(const Value& expected, const std::string& place);

// How many of `count` clauses must match: 2, "2", "-1", "75%". Fails with invalid.
Result<std::size_t> minimum_of(const Value& minimum, std::size_t count, const std::string& place);
// Whether at least `count` of the conditions hold.
ExprPtr at_least(std::size_t count, ExprList conditions);

// The array of a field's values for buckets and sorting: scalars, with dates as milliseconds. Fails
// with invalid for text fields.
Result<ExprPtr> values_of(Lowering& lowering, const FieldValues& of, const std::string& name,
                          const std::string& place);
// The same for numbers and dates only.
Result<ExprPtr> numbers_of(Lowering& lowering, const FieldValues& of, const std::string& name,
                           const std::string& place);

// --- queries ---

Result<Clause> lower_query(Lowering& lowering, const Value& query, const std::string& place,
                           std::size_t depth);
// Each handles one family of queries, and returns a clause without condition if the name is not in
// it.
Result<Clause> lower_exact(Lowering& lowering, std::string_view name, const Value& body,
                           const std::string& place);
Result<Clause> lower_match(Lowering& lowering, std::string_view name, const Value& body,
                           const std::string& place);
Result<Clause> lower_geo(Lowering& lowering, std::string_view name, const Value& body,
                         const std::string& place);
// The text language of query_string.
Result<Clause> lower_query_string(Lowering& lowering, const Value& body, const std::string& place);

// `score`: the score of the query, in a slot of the row, or the same for every hit.
Result<std::vector<SortField>> lower_sort(Lowering& lowering, const Value& sort,
                                          const ScorePtr& score);
// Whether a row comes after the position in search_after.
Result<ExprPtr> lower_after(Lowering& lowering, const std::vector<SortField>& sort,
                            const Value& after);

// --- reading bodies ---

tl::unexpected<Error> wrong(const std::string& place, std::string_view claim);
// The only member of an object.
Result<const Object::Member*> only_member(const Value& body, const std::string& place);
// Fails if the object has a member that is not among these, and names it.
Result<void> check_members(const Object& object, std::initializer_list<std::string_view> known,
                           const std::string& place);
Result<bool> boolean_of(const Value& value, const std::string& place);
// A whole number, or a text with one.
Result<std::size_t> count_of(const Value& value, const std::string& place);
// The `boost` of a query's options; default 1.
Result<double> boost_of(const Value& options, const std::string& place);
// "name^3", as a name and a boost.
struct BoostedName {
  std::string name;
  double boost = 1;
};
Result<BoostedName> boosted_name(const std::string& text, const std::string& place);

}  // namespace mayfly::kuzzle::search
