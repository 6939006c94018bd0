#include "dialect/fauna/check/check.h"

#include "dialect/fauna/check/checker.h"
#include "dialect/fauna/values/text.h"

namespace mayfly::fauna {
namespace {

// Objects may have other fields than are asked for: what a client sends is data.
StaticPtr type_of_value(const FqlValue& value, int depth = 0) {
  constexpr int depth_max = 16;
  if (depth > depth_max) return any_type();
  switch (value.kind()) {
    case FqlKind::array: {
      StaticList items;
      for (const FqlValue& item : value.array()) items.push_back(type_of_value(item, depth + 1));
      return tuple_type(std::move(items));
    }
    case FqlKind::object: {
      std::vector<StaticField> fields;
      for (const auto& [name, member] : value.object().members()) {
        fields.push_back({name, type_of_value(member, depth + 1)});
      }
      return object_type(std::move(fields), any_type());
    }
    case FqlKind::document: return named_type(StaticKind::reference, value.document()->collection);
    case FqlKind::null:
    case FqlKind::boolean:
    case FqlKind::whole:
    case FqlKind::real:
    case FqlKind::text:
    case FqlKind::bytes:
    case FqlKind::time:
    case FqlKind::transaction_time:
    case FqlKind::date:
    case FqlKind::uuid:
    case FqlKind::id: return scalar_type(type_name(value));
    default: return any_type();
  }
}

}  // namespace

Result<CheckedQuery> check_query(Reading& reading, Meter meter, const Program& program,
                                 std::span<const FqlValue> values) {
  KnownTypes known(reading);
  Checker checker(known, meter);
  Checker::Frame frame;
  for (const FqlValue& value : values) frame.push_back(type_of_value(value));
  frame.resize(program.frame_size, any_type());
  StaticPtr type = checker.infer(*program.root, frame);
  if (checker.error()) return tl::unexpected(*checker.error());
  if (known.error()) return tl::unexpected(*known.error());
  return CheckedQuery{std::move(type), std::move(checker.errors), std::move(checker.warnings)};
}

}  // namespace mayfly::fauna
