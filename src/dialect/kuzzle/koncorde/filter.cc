// Parses filters.
#include "dialect/kuzzle/koncorde/filter.h"

#include <algorithm>
#include <utility>

#include "base/crypto/crypto.h"
#include "dialect/kuzzle/koncorde/limits.h"
#include "dialect/kuzzle/koncorde/nodes.h"
#include "expr/analyse.h"
#include "expr/evaluation/patterns.h"
#include "value/json/json.h"

namespace mayfly::kuzzle::koncorde {
namespace {

tl::unexpected<Error> wrong(const std::string& place, std::string_view claim) {
  return fail(Code::invalid, place + " " + std::string(claim), place);
}

bool is_scalar(const Value& value) {
  return value.is(Kind::text) || value.is_number() || value.is(Kind::boolean) || value.is_null();
}

class FilterParser {
 public:
  explicit FilterParser(const ParseOther& parse_other) : parse_other_(parse_other) {}
  std::size_t pattern_steps() const { return pattern_steps_; }
  Result<NodePtr> filter(const Value& body, const std::string& place, std::size_t depth) {
    if (!body.is(Kind::object)) return wrong(place, "is an object");
    if (body.object().size() != 1) return wrong(place, "has one keyword");
    if (depth > limits::koncorde_depth_max) {
      return fail(Code::too_large, "a filter is nested too deep", place);
    }
    const auto& [keyword, clause] = *body.object().begin();
    const std::string inner = place.empty() ? keyword : place + "." + keyword;
    if (NodePtr made = TRY(junction(keyword, clause, inner, depth))) return made;
    if (++leaves_ > limits::koncorde_leaves_max) {
      return fail(Code::too_large, "a filter has too many conditions", inner);
    }
    if (keyword == "select") return select(clause, inner, depth);
    if (parse_other_ && slot_ == 0 && keyword == "match") return other(body, keyword, inner);
    if (NodePtr made = TRY(leaf(keyword, clause, inner))) return made;
    const auto here = [this](Leaf::Kind kind, const std::string& name) {
      return about(kind, name);
    };
    if (NodePtr made = TRY(parse_place(keyword, clause, inner, here))) return made;
    if (parse_other_ && slot_ == 0) return other(body, keyword, inner);
    return wrong(inner, "is not a keyword");
  }

 private:
  // --- operators ---

  Result<NodePtr> junction(std::string_view keyword, const Value& clause, const std::string& place,
                           std::size_t depth) {
    if (keyword == "and") return all_of(TRY(filters(clause, place, depth)));
    if (keyword == "or") return any_of(TRY(filters(clause, place, depth)));
    if (keyword == "not") return negation(TRY(filter(clause, place, depth + 1)));
    if (keyword == "bool") return parse_bool(clause, place, depth);
    return NodePtr();
  }

  Result<std::vector<NodePtr>> filters(const Value& clause, const std::string& place,
                                       std::size_t depth) {
    if (!clause.is(Kind::array) || clause.array().empty()) {
      return wrong(place, "is a list of filters, not empty");
    }
    std::vector<NodePtr> made;
    for (std::size_t i = 0; i < clause.array().size(); ++i) {
      made.push_back(TRY(filter(clause.array()[i], place + "." + std::to_string(i), depth + 1)));
    }
    return made;
  }

  Result<NodePtr> parse_bool(const Value& clause, const std::string& place, std::size_t depth) {
    if (!clause.is(Kind::object) || clause.object().empty()) {
      return wrong(place, "is an object of lists, not empty");
    }
    std::vector<NodePtr> all;
    for (const auto& [name, list] : clause.object()) {
      const std::string inner = place + "." + name;
      const bool is_every = name == "must" || name == "must_not";
      const bool is_negated = name == "must_not" || name == "should_not";
      if (!is_every && name != "should" && name != "should_not") {
        return wrong(inner, "is none of must, must_not, should and should_not");
      }
      std::vector<NodePtr> operands = TRY(filters(list, inner, depth));
      if (is_negated) {
        for (NodePtr& operand : operands) operand = negation(operand);
      }
      all.push_back(is_every ? all_of(std::move(operands)) : any_of(std::move(operands)));
    }
    return all_of(std::move(all));
  }

  // --- keywords ---

  Result<NodePtr> leaf(std::string_view keyword, const Value& clause, const std::string& place) {
    if (keyword == "equals") return equals(clause, place);
    if (keyword == "in") return in(clause, place);
    if (keyword == "exists") return exists(clause, place);
    if (keyword == "missing") return negation(TRY(exists(clause, place)));
    if (keyword == "range") return range(clause, place);
    if (keyword == "regexp") return regexp(clause, place);
    if (keyword == "ids") return ids(clause, place);
    if (keyword == "match") return match(clause, {}, place);
    if (keyword == "nothing") return no_document();
    return NodePtr();
  }

  Result<NodePtr> other(const Value& body, const std::string& keyword, const std::string& place) {
    Leaf leaf{.kind = Leaf::Kind::part};
    leaf.name = keyword;
    leaf.values = {body};
    leaf.condition = expr::if_missing(TRY(parse_other_(body, place)), expr::literal(false));
    return make_leaf(std::move(leaf));
  }

  static Result<const Object::Member*> one_field(const Value& clause, const std::string& place) {
    if (!clause.is(Kind::object) || clause.object().size() != 1) {
      return wrong(place, "names one field");
    }
    if (clause.object().begin()->first.empty()) return wrong(place, "names one field");
    return clause.object().begin();
  }
  // Within `select` an item is treated as a document with the single field `value`.
  Leaf about(Leaf::Kind kind, const std::string& name) const {
    Leaf leaf{.kind = kind};
    leaf.name = name;
    leaf.path = path_of(name);
    if (slot_ == 0) return leaf;
    leaf.slot = slot_;
    if (leaf.path.front() == "value") {
      leaf.path.erase(leaf.path.begin());
    } else {
      leaf.path = {nowhere};
    }
    return leaf;
  }

  Result<NodePtr> equals(const Value& clause, const std::string& place) {
    const Object::Member* member = TRY(one_field(clause, place));
    if (!is_scalar(member->second)) return wrong(place + "." + member->first, "is one value");
    Leaf leaf = about(Leaf::Kind::equals, member->first);
    leaf.values.push_back(member->second);
    return make_leaf(std::move(leaf));
  }

  static Result<std::vector<Value>> scalars(const Value& list, const std::string& place) {
    if (!list.is(Kind::array) || list.array().empty()) {
      return wrong(place, "is a list of values, not empty");
    }
    if (list.array().size() > limits::koncorde_values_max) {
      return fail(Code::too_large, "there are too many values", place);
    }
    for (const Value& value : list.array()) {
      if (!is_scalar(value)) return wrong(place, "is a list of values");
    }
    return std::vector<Value>(list.array().begin(), list.array().end());
  }

  Result<NodePtr> in(const Value& clause, const std::string& place) {
    const Object::Member* member = TRY(one_field(clause, place));
    Leaf leaf = about(Leaf::Kind::equals, member->first);
    leaf.values = TRY(scalars(member->second, place + "." + member->first));
    return make_leaf(std::move(leaf));
  }

  Result<NodePtr> ids(const Value& clause, const std::string& place) {
    Leaf leaf{.kind = Leaf::Kind::ids};
    if (slot_ != 0) return wrong(place, "is about documents, not about items");
    leaf.values = TRY(scalars(clause.member("values"), place + ".values"));
    for (const Value& id : leaf.values) {
      if (!id.is(Kind::text)) return wrong(place + ".values", "is a list of ids");
    }
    return make_leaf(std::move(leaf));
  }

  // "a.b", `list["x"]`, or in the old form {"field": "a.b"}.
  Result<NodePtr> exists(const Value& clause, const std::string& place) {
    const Value named = clause.is(Kind::object) ? clause.member("field") : clause;
    if (!named.is(Kind::text) || named.text().empty()) return wrong(place, "names one field");
    const std::string& name = named.text();
    const std::size_t bracket = name.find('[');
    if (bracket == std::string::npos) return make_leaf(about(Leaf::Kind::exists, name));
    const bool is_closed = name.back() == ']' && bracket > 0;
    const auto value =
        is_closed
            ? parse_json(std::string_view(name).substr(bracket + 1, name.size() - bracket - 2))
            : Result<Value>(Value());
    if (!value || !is_scalar(*value)) return wrong(place, "has one value in its brackets");
    Leaf leaf = about(Leaf::Kind::holds, name.substr(0, bracket));
    leaf.values.push_back(*value);
    return make_leaf(std::move(leaf));
  }

  Result<NodePtr> range(const Value& clause, const std::string& place) {
    const Object::Member* member = TRY(one_field(clause, place));
    const std::string inner = place + "." + member->first;
    if (!member->second.is(Kind::object)) return wrong(inner, "is an object of bounds");
    Leaf leaf = about(Leaf::Kind::range, member->first);
    for (const auto& [name, bound] : member->second.object()) {
      const bool is_lower = name == "gt" || name == "gte";
      if (!is_lower && name != "lt" && name != "lte") {
        return wrong(inner + "." + name, "is none of gt, gte, lt and lte");
      }
      if (!bound.is_number()) return wrong(inner + "." + name, "is a number");
      auto& side = is_lower ? leaf.from : leaf.to;
      if (side) return wrong(inner, "has one bound on each side");
      side = Leaf::Bound{bound.number(), name.size() == 3};
    }
    if (!leaf.from && !leaf.to) return wrong(inner, "has a bound");
    if (leaf.from && leaf.to && !(leaf.from->value < leaf.to->value)) {
      return wrong(inner, "has its lower bound below the upper one");
    }
    return make_leaf(std::move(leaf));
  }

  Result<NodePtr> regexp(const Value& clause, const std::string& place) {
    const Object::Member* member = TRY(one_field(clause, place));
    const std::string inner = place + "." + member->first;
    const bool is_object = member->second.is(Kind::object);
    const Value pattern = is_object ? member->second.member("value") : member->second;
    const Value flags = is_object ? member->second.member("flags") : Value();
    if (!pattern.is(Kind::text)) return wrong(inner, "is a regular expression");
    if (pattern.text().size() > limits::koncorde_pattern_bytes_max) {
      return fail(Code::too_large, "the expression is too long", inner);
    }
    std::string kept_flags;  // those that affect matching
    if (!flags.is_missing() && !flags.is(Kind::text)) return wrong(inner + ".flags", "is a text");
    for (const char flag : flags.is(Kind::text) ? flags.text() : std::string()) {
      if (std::string_view("imsguy").find(flag) == std::string_view::npos) {
        return wrong(inner + ".flags", "has an unknown flag");
      }
      const bool is_kept = std::string_view("ims").find(flag) != std::string_view::npos;
      if (is_kept && kept_flags.find(flag) == std::string::npos) kept_flags += flag;
    }
    std::sort(kept_flags.begin(), kept_flags.end());
    const ExprPtr compiled = expr::call(
        "matches", {expr::literal(""), expr::literal(pattern), expr::literal(kept_flags)});
    if (compiled->as<expr::FunctionCall>()->prepared == nullptr) {
      return wrong(inner, "is no regular expression that is understood");
    }
    pattern_steps_ += expr::steps_per_character(compiled->as<expr::FunctionCall>()->prepared.get());
    if (pattern_steps_ > limits::koncorde_pattern_steps_max) {
      return fail(Code::too_large, "the regular expressions of a filter are too large", inner);
    }
    Leaf leaf = about(Leaf::Kind::regexp, member->first);
    leaf.values = {pattern, Value(kept_flags)};
    return make_leaf(std::move(leaf));
  }

  // --- select: one item of an array ---

  Result<NodePtr> select(const Value& clause, const std::string& place, std::size_t depth) {
    const Value name = clause.member("field");
    const Value index = clause.member("index");
    const Value query = clause.member("query");
    if (!name.is(Kind::text) || name.text().empty() || !index.is(Kind::integer) ||
        query.is_missing()) {
      return wrong(place, "has a field, an index that is a whole number, and a query");
    }
    Leaf leaf = about(Leaf::Kind::item, name.text());
    const Slot outer = std::exchange(slot_, next_slot_++);
    const Slot inner = slot_;
    auto expected = filter(query, place + ".query", depth + 1);
    slot_ = outer;
    if (!expected) return expected;
    leaf.values = {index, Value((*expected)->text)};
    leaf.condition = item_fits(field_at(leaf.path, leaf.slot), index, inner, **expected);
    return make_leaf(std::move(leaf));
  }

  // False if there is no such item.
  static ExprPtr item_fits(const ExprPtr& list, const Value& index, Slot slot,
                           const Node& expected) {
    const std::int64_t at = index.integer();
    const ExprPtr items = expr::call("array_length", {list});
    const ExprPtr is_there =
        at >= 0 ? expr::call("greater", {items, expr::literal(at)})
                : expr::call("greater_or_equal", {items, expr::literal(-static_cast<double>(at))});
    const ExprPtr item = expr::call("array", {expr::call("array_at", {list, expr::literal(at)})});
    const ExprPtr fits = expr::each(expr::Each::Mode::any, slot, item, condition_of(expected));
    return expr::if_missing(expr::all_of({expr::call("is_array", {list}), is_there, fits}),
                            expr::literal(false));
  }

  // --- match: a document that contains all of this, at any depth ---

  Result<NodePtr> match(const Value& expected, const std::string& name, const std::string& place) {
    if (expected.is(Kind::object)) {
      std::vector<NodePtr> all;
      for (const auto& [member, value] : expected.object()) {
        if (++leaves_ > limits::koncorde_leaves_max) {
          return fail(Code::too_large, "a filter has too many conditions", place);
        }
        const std::string below = name.empty() ? member : name + "." + member;
        all.push_back(TRY(match(value, below, place)));
      }
      return all_of(std::move(all));
    }
    if (name.empty()) return wrong(place, "is an object");
    if (expected.is(Kind::array)) return holds_all(expected.array(), name);
    Leaf leaf = about(Leaf::Kind::equals, name);
    leaf.values.push_back(expected);
    return make_leaf(std::move(leaf));
  }

  // Whether the array has an item for each of these.
  Result<NodePtr> holds_all(const Array& expected, const std::string& name) {
    std::vector<NodePtr> all;
    for (const Value& item : expected) {
      Leaf leaf = about(is_scalar(item) ? Leaf::Kind::holds : Leaf::Kind::part, name);
      leaf.values.push_back(item);
      leaf.condition = expr::if_missing(
          expr::call("array_holds_part", {field_at(leaf.path, leaf.slot), expr::literal(item)}),
          expr::literal(false));
      all.push_back(make_leaf(std::move(leaf)));
    }
    if (all.empty()) all.push_back(make_leaf(about(Leaf::Kind::exists, name)));
    return all_of(std::move(all));
  }

  static constexpr const char* nowhere = "\x01";  // the name of no field of an item

  const ParseOther& parse_other_;
  std::size_t leaves_ = 0;
  std::size_t pattern_steps_ = 0;
  Slot slot_ = 0;  // the value that has the fields
  Slot next_slot_ = 1;
};

}  // namespace

Result<Filter> Filter::parse(const Value& body, const ParseOther& parse_other) {
  const bool is_empty =
      body.is_missing() || body.is_null() || (body.is(Kind::object) && body.object().empty());
  FilterParser parser(parse_other);
  NodePtr root = is_empty ? every_document() : TRY(parser.filter(body, "", 1));
  if (root->text.size() > limits::koncorde_text_bytes_max) {
    return fail(Code::too_large, "the filter is too long");
  }
  ExprPtr condition = condition_of(*root);
  TRY(check_size(*condition));
  return Filter(std::move(root), std::move(condition), parser.pattern_steps());
}

namespace {

std::size_t leaves_of(const Node& node) {
  std::size_t count = node.kind == Node::Kind::leaf ? 1 : 0;
  for (const NodePtr& operand : node.operands) count += leaves_of(*operand);
  return count;
}

}  // namespace

std::size_t Filter::conditions() const {
  return leaves_of(*root_);
}

std::string room_id(std::string_view index, std::string_view collection, const Filter& filter) {
  constexpr std::size_t hex_digits = 32;
  Bytes named(index);
  named += '\0';
  named += collection;
  named += '\0';
  named += filter.text();
  return encode_hex(sha256(named)).substr(0, hex_digits);
}

}  // namespace mayfly::kuzzle::koncorde
