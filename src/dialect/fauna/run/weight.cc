#include "dialect/fauna/run/weight.h"

#include <cstdint>

namespace mayfly::fauna {
namespace {

constexpr std::size_t bytes_of_step = 256;

std::size_t text_size(const FqlValue& value) {
  if (value.is(FqlKind::text)) return value.text().size();
  return value.is(FqlKind::bytes) ? value.bytes().size() : 0;
}

// Adds the size of the value to `weight`.
Result<void> weigh_into(Run& run, const FqlValue& value, std::size_t& weight) {
  TRY(run.meter().tick());
  switch (value.kind()) {
    case FqlKind::text:
    case FqlKind::bytes: weight += text_size(value); return step_bytes(run, text_size(value));
    case FqlKind::array:
      weight += 2;
      for (const FqlValue& item : value.array()) TRY(weigh_into(run, item, weight));
      return {};
    case FqlKind::object:
      weight += 2;
      for (const auto& [name, member] : value.object().members()) {
        weight += name.size();
        TRY(weigh_into(run, member, weight));
      }
      return {};
    default: ++weight; return {};
  }
}

}  // namespace

Result<std::size_t> weigh(Run& run, const FqlValue& value) {
  std::size_t weight = 0;
  TRY(weigh_into(run, value, weight));
  return weight;
}

Result<void> count_copy(Run& run, const FqlValue& value) {
  TRY(run.meter().tick());
  TRY(run.make(sizeof(FqlValue) + text_size(value)));
  if (value.is(FqlKind::object)) return count_copy(run, value.object());
  if (!value.is(FqlKind::array)) return step_bytes(run, text_size(value));
  for (const FqlValue& item : value.array()) TRY(count_copy(run, item));
  return {};
}

Result<void> count_copy(Run& run, const FqlObject& object) {
  for (const auto& [name, member] : object.members()) {
    TRY(run.make(sizeof(std::string) + name.size()));
    TRY(count_copy(run, member));
  }
  return {};
}

Result<void> step_bytes(Run& run, std::size_t bytes) {
  return run.meter().tick(static_cast<std::uint32_t>(bytes / bytes_of_step));
}

}  // namespace mayfly::fauna
