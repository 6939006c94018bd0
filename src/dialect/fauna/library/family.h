// The families of library functions, one per file, and the helpers that they share.
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
std::span<const Method> any_methods();  // methods of all values
std::span<const Method> string_methods();
std::span<const Method> regex_methods();  // also methods of strings
std::span<const Method> parse_methods();  // also methods of strings
std::span<const Method> math_methods();
std::span<const Method> rounding_methods();  // also functions of Math
std::span<const Method> time_methods();
std::span<const Method> date_methods();
std::span<const Method> bytes_methods();
std::span<const Method> array_methods();
std::span<const Method> array_search_methods();
std::span<const Method> array_callback_methods();
std::span<const Method> object_methods();
std::span<const Method> set_methods();
std::span<const Method> event_source_methods();  // also methods of sets
std::span<const Method> collection_methods();
std::span<const Method> document_methods();
std::span<const Method> access_methods();

// Makes a text for a query, within its bounds.
Result<FqlValue> make_text(Run& run, std::string text);
// Makes an array or object for a query, within its bounds.
Result<FqlValue> make_array(Run& run, FqlArray items);
Result<FqlValue> make_object(Run& run, FqlObject object);

// Checks that `index` is at least 0 and less than `length`: "index 5 out of bounds for length 3".
Result<std::size_t> index_within(Run& run, std::int64_t index, std::size_t length);
// The same for a position between elements, which may also equal `length`.
Result<std::size_t> position_within(Run& run, std::int64_t position, std::size_t length);
// Clamps to 0 … `length`.
std::size_t position_cut(std::int64_t position, std::size_t length);

}  // namespace mayfly::fauna
