#include "dialect/fauna/library/family.h"

#include <fmt/format.h>

#include <algorithm>

namespace mayfly::fauna {
namespace {

tl::unexpected<Error> out_of_bounds(Run& run, std::int64_t index, std::size_t length) {
  return run.fail("index_out_of_bounds",
                  fmt::format("index {} out of bounds for length {}", index, length));
}

}  // namespace

Result<FqlValue> make_text(Run& run, std::string text) {
  TRY(run.check_text(text.size()));
  return FqlValue(std::move(text));
}

Result<FqlValue> make_array(Run& run, FqlArray items) {
  TRY(run.check_elements(items.size()));
  TRY(run.make(items.size() * sizeof(FqlValue)));
  FqlValue array(std::move(items));
  TRY(run.check_depth(array));
  return array;
}

Result<FqlValue> make_object(Run& run, FqlObject object) {
  TRY(run.make(object.size() * sizeof(FqlObject::Member)));
  FqlValue value(std::move(object));
  TRY(run.check_depth(value));
  return value;
}

Result<std::size_t> index_within(Run& run, std::int64_t index, std::size_t length) {
  if (index < 0 || index >= static_cast<std::int64_t>(length)) {
    return out_of_bounds(run, index, length);
  }
  return static_cast<std::size_t>(index);
}

Result<std::size_t> position_within(Run& run, std::int64_t position, std::size_t length) {
  if (position < 0 || position > static_cast<std::int64_t>(length)) {
    return out_of_bounds(run, position, length);
  }
  return static_cast<std::size_t>(position);
}

std::size_t position_cut(std::int64_t position, std::size_t length) {
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(position, 0, static_cast<std::int64_t>(length)));
}

}  // namespace mayfly::fauna
