// The bounds of specifications, each with its reason.
#pragma once

#include <cstddef>

namespace mayfly::limits {

// Of one collection, as text: the catalog keeps it in memory, and each write is checked against it.
inline constexpr std::size_t specification_bytes_max = 64 << 10;
inline constexpr std::size_t specification_fields_max = 1'000;
inline constexpr std::size_t specification_depth_max = 20;
// Validation errors listed for one document.
inline constexpr std::size_t specification_errors_max = 1'000;
// The depth of nested collections of shapes.
inline constexpr std::size_t specification_shapes_depth_max = 16;

}  // namespace mayfly::limits
