// The families of the library, one a file, and what their functions share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dialect/fauna/library/method.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// In the order of the documentation.
std::span<const Method> global_methods();
std::span<const Method> any_methods();  // what all values have
std::span<const Method> string_methods();
std::span<const Method> regex_methods();  // of strings, too
std::span<const Method> parse_methods();  // the same
std::span<const Method> math_methods();
std::span<const Method> rounding_methods();  // of Math, too
std::span<const Method> time_methods();
std::span<const Method> date_methods();
std::span<const Method> bytes_methods();
std::span<const Method> array_methods();
std::span<const Method> array_search_methods();
std::span<const Method> array_callback_methods();
std::span<const Method> object_methods();
std::span<const Method> set_methods();
std::span<const Method> event_source_methods();  // of sets, too
std::span<const Method> collection_methods();
std::span<const Method> document_methods();
std::span<const Method> access_methods();

// A text that a query makes, within the bounds.
Result<FqlValue> make_text(Run& run, std::string text);
// An array or object that a query makes, within the bounds.
Result<FqlValue> make_array(Run& run, FqlArray items);
Result<FqlValue> make_object(Run& run, FqlObject object);

// Tests that `index` is from 0 to `length`, that excluded: "index 5 out of bounds for length 3".
Result<std::size_t> index_within(Run& run, std::int64_t index, std::size_t length);
// The same, where the end is one of the positions: between elements, or to begin at.
Result<std::size_t> position_within(Run& run, std::int64_t position, std::size_t length);
// Cut to 0 to `length`.
std::size_t position_cut(std::int64_t position, std::size_t length);

}  // namespace mayfly::fauna
