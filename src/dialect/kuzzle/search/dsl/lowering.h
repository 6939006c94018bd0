// What the lowering of one search gathers; and the values that a field name stands for. Private to
// the folder.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/kuzzle/search/search.h"

namespace mayfly::kuzzle::search {

// What a field name stands for.
struct Values {
  FieldType type = FieldType::dynamic;
  // One value, which is a text, an instant or a truth as `type` says, or null or missing; otherwise
  // an array.
  bool is_fact = false;
  ExprPtr values;
  std::string name = {};  // as marks have it; empty: all fields
};

class Lowering {
 public:
  // Slots it gives out are above this one.
  explicit Lowering(const Language& language, Slot slots = 0)
      : language_(language), slots_(slots) {}

  Instant now() const { return language_.now; }
  Values find(std::string_view name) const;
  // Every value in the row.
  Values everywhere() const;
  // What lies at a name, as it is: the way to it leads through no array.
  ExprPtr whole(std::string_view name) const;

  // Whether one of the values is so; never missing. `is` is asked once, for an expression that
  // stands for any one value.
  using Is = std::function<ExprPtr(const ExprPtr&)>;
  ExprPtr any(const Values& of, const Is& is);
  Slot new_slot() { return ++slots_; }
  // What scores look through for these values; of the same ones it is the same pointer, so that
  // their words are counted once.
  ExprPtr scored_texts(const Values& of);

  // One more clause. Fails with too_large.
  Result<void> enter(const std::string& place, std::size_t depth);

  // Notes what is looked for in these values, in the texts of one kind of mark.
  void note(Mark::Kind kind, const Values& of, std::vector<std::string> texts,
            bool ends_in_prefix = false);
  // The same of what is true of a word or a value.
  void note_where(Mark::Kind kind, const Values& of, const Is& is);

  // While it lives, nothing is noted: what a hit must not have is not highlighted.
  class Unnoted {
   public:
    explicit Unnoted(Lowering& lowering) : lowering_(lowering) { ++lowering_.unnoted_; }
    ~Unnoted() { --lowering_.unnoted_; }
    Unnoted(const Unnoted&) = delete;

   private:
    Lowering& lowering_;
  };

  // While it lives, names below `path` are looked for in what the slot holds.
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
  struct Where {
    std::vector<std::string> path;  // in what the slot holds
    Slot slot = 0;
  };
  Where where(std::string_view name) const;
  bool notes() const { return language_.marks != nullptr && unnoted_ == 0; }

  const Language& language_;
  std::vector<Item> nested_;
  std::map<std::string, ExprPtr> texts_;  // by what the values are
  Slot slots_;
  std::size_t clauses_ = 0;
  std::size_t unnoted_ = 0;
};

// --- what one value is asked ---

inline ExprPtr false_if_missing(ExprPtr condition) {
  return expr::if_missing(std::move(condition), expr::literal(false));
}

// Whether a value of that type is this one. Fails with invalid where it cannot be.
Result<ExprPtr> equals(Lowering& lowering, const Values& of, const Value& wanted,
                       const std::string& place);
Result<ExprPtr> equals_any(Lowering& lowering, const Values& of, const Array& wanted,
                           const std::string& place);

struct RangeBound {
  std::string_view function;  // less, less_or_equal, greater, greater_or_equal
  Value value;
};
// Whether one of the values lies within all the bounds.
Result<ExprPtr> within(Lowering& lowering, const Values& of, const std::vector<RangeBound>& bounds,
                       const std::string& place);
ExprPtr has_any_value(Lowering& lowering, const Values& of);

// Whether one of the values, or of a text's words, fits a pattern or begins so.
ExprPtr matches(Lowering& lowering, const Values& of, const Lowering::Is& is);
// A pattern of * and ? as one of RE2, anchored; and a regular expression likewise. Fail with
// invalid or too_large.
Result<std::string> wildcard_pattern(std::string_view wildcard, const std::string& place);
Result<std::string> regexp_pattern(std::string_view regexp, const std::string& place);
Result<ExprPtr> matches_pattern(Lowering& lowering, const Values& of, const std::string& pattern,
                                const std::string& place);

enum class MatchKind { words, phrase, phrase_prefix };
struct Match {
  MatchKind kind = MatchKind::words;
  bool needs_all = false;
  Value words_min = {};  // minimum_should_match
};
// Whether the values fit a text that is searched for. What is not words is worth 1.
Result<Clause> match(Lowering& lowering, const Values& of, const Value& wanted, const Match& how,
                     const std::string& place);
// The words that a text is searched by. Fails with too_large.
Result<std::vector<std::string>> words_wanted(const Value& wanted, const std::string& place);

// How many of so many must fit: 2, "2", "-1", "75%". Fails with invalid.
Result<std::size_t> minimum_of(const Value& minimum, std::size_t count, const std::string& place);
// At least so many of the conditions.
ExprPtr at_least(std::size_t count, ExprList conditions);

// The array of the values that buckets and orders are made of: scalars, dates as milliseconds.
// Fails with invalid for fields that are words.
Result<ExprPtr> values_of(Lowering& lowering, const Values& of, const std::string& name,
                          const std::string& place);
// The same of numbers and dates only.
Result<ExprPtr> numbers_of(Lowering& lowering, const Values& of, const std::string& name,
                           const std::string& place);

// --- queries ---

Result<Clause> lower_query(Lowering& lowering, const Value& query, const std::string& place,
                           std::size_t depth);
// One family of queries each; without a condition where the name is not of theirs.
Result<Clause> lower_exact(Lowering& lowering, std::string_view name, const Value& body,
                           const std::string& place);
Result<Clause> lower_match(Lowering& lowering, std::string_view name, const Value& body,
                           const std::string& place);
Result<Clause> lower_geo(Lowering& lowering, std::string_view name, const Value& body,
                         const std::string& place);
// The text language of query_string.
Result<Clause> lower_query_string(Lowering& lowering, const Value& body, const std::string& place);

// The score is what the query gives: in a slot of the row's, or the same for every hit.
Result<std::vector<SortField>> lower_sort(Lowering& lowering, const Value& sort,
                                          const ScorePtr& score);
// True for the rows behind the place that search_after names.
Result<ExprPtr> lower_after(Lowering& lowering, const std::vector<SortField>& sort,
                            const Value& after);

// --- reading bodies ---

tl::unexpected<Error> wrong(const std::string& place, std::string_view claim);
// The only member of an object.
Result<const Object::Member*> only_member(const Value& body, const std::string& place);
// Fails, naming it, where the object has a member that is not among these.
Result<void> check_members(const Object& object, std::initializer_list<std::string_view> known,
                           const std::string& place);
Result<bool> boolean_of(const Value& value, const std::string& place);
// A whole number, also written as a text.
Result<std::size_t> count_of(const Value& value, const std::string& place);
// What `boost` of a query's options says; 1 where it says nothing.
Result<double> boost_of(const Value& options, const std::string& place);
// "name^3", as a name and a boost.
struct BoostedName {
  std::string name;
  double boost = 1;
};
Result<BoostedName> boosted_name(const std::string& text, const std::string& place);

}  // namespace mayfly::kuzzle::search
