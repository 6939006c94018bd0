// Bounds of evaluation, each with its reason, beside those of base/limits.h. They are separate
// because every file of the program includes base/limits.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/limits.h"

namespace mayfly::limits {

// The memory for the constants of one expression and for their computed results, before it runs:
// takes a tenth of a second. The remaining constants are evaluated with the rows.
inline constexpr std::size_t fold_bytes_max = 64 << 20;
inline constexpr std::size_t pattern_bytes_max =
    4 << 10;  // of a regular expression; compiling takes a millisecond at worst
inline constexpr std::int64_t pattern_program_bytes_max =
    256 << 10;  // of a compiled one: some 8,000 instructions
// Steps of a function that traverses one argument for each part of another: a second at worst,
// because nothing can interrupt it.
inline constexpr std::size_t function_work_max = std::size_t{1} << 30;
// Bytes of a text times instructions of the program that matches it: a second at worst, because
// nothing can interrupt it. The longest text of a document fits with 128 instructions.
inline constexpr std::size_t pattern_work_max = std::size_t{1} << 28;

inline constexpr std::size_t stemmed_word_bytes_max =
    256;  // longer words are not stemmed: no language has them

// Nodes of an expression whose value an index stores: each write of a document evaluates it.
inline constexpr std::size_t stored_expression_nodes_max = 64;

}  // namespace mayfly::limits
