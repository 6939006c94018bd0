#include "dialect/fauna/check/check.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "dialect/fauna/check/checker.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/values/text/text.h"

namespace mayfly::fauna {
namespace {

// The types of values sent along with a query: those of literals in the text. Their objects may
// have more fields than the query accesses, because they are data.
class SentTypes {
 public:
  StaticPtr of(const FqlValue& value, int depth = 0) {
    constexpr int depth_max = 16;
    if (depth > depth_max || left_ == 0) return any_type();
    --left_;
    switch (value.kind()) {
      case FqlKind::array: return of_array(value.array(), depth);
      case FqlKind::object: return of_object(value.object(), depth);
      case FqlKind::document:
        return named_type(StaticKind::reference, value.document()->collection);
      case FqlKind::boolean:
        return sent(literal_type(value.boolean() ? "true" : "false", type_name(value)));
      case FqlKind::whole:
        return sent(literal_type(std::to_string(value.whole().number), type_name(value)));
      case FqlKind::real:
        if (!std::isfinite(value.real())) return scalar_type(type_name(value));
        return sent(literal_type(fmt::format("{}", value.real()), type_name(value)));
      case FqlKind::text: return sent(text_literal_type(value.text()));
      case FqlKind::null:
      case FqlKind::bytes:
      case FqlKind::time:
      case FqlKind::transaction_time:
      case FqlKind::date:
      case FqlKind::uuid:
      case FqlKind::id: return scalar_type(type_name(value));
      default: return any_type();
    }
  }

 private:
  static StaticPtr sent(const StaticPtr& literal) {
    StaticType type = *literal;
    type.is_sent = true;
    return std::make_shared<const StaticType>(std::move(type));
  }

  StaticPtr of_array(const FqlArray& array, int depth) {
    if (array.size() > left_) return array_type(any_type());
    StaticList items;
    for (const FqlValue& item : array) items.push_back(of(item, depth + 1));
    return tuple_type(std::move(items));
  }

  StaticPtr of_object(const FqlObject& object, int depth) {
    std::vector<StaticField> fields;
    for (const auto& [name, member] : object.members()) {
      fields.push_back({name, of(member, depth + 1)});
    }
    return object_type(std::move(fields), any_type());
  }

  std::size_t left_ = limits::fql_typed_values_max;
};

}  // namespace

Result<CheckedQuery> check_query(Reading& reading, Meter meter, const Program& program,
                                 std::span<const FqlValue> values) {
  TypeResolver known(reading);
  Checker checker(known, meter);
  Checker::Frame frame;
  SentTypes sent;
  for (const FqlValue& value : values) frame.push_back(sent.of(value));
  frame.resize(program.frame_size, any_type());
  StaticPtr type = checker.infer(*program.root, frame);
  if (checker.error()) return tl::unexpected(*checker.error());
  if (known.error()) return tl::unexpected(*known.error());
  return CheckedQuery{std::move(type), std::move(checker.errors), std::move(checker.warnings)};
}

}  // namespace mayfly::fauna
