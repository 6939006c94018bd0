// Bounds of evaluation, each with its reason, beside those of base/limits.h; apart from them
// because
// every file of the program includes those.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/limits.h"

namespace mayfly::limits {

// What the constants of one expression may hold together, with all that is computed of them, before
// it runs: a tenth of a second. What is left is evaluated with the rows.
inline constexpr std::size_t fold_bytes_max = 64 << 20;
inline constexpr std::size_t pattern_bytes_max =
    4 << 10;  // of a regular expression; compiling takes a millisecond at worst
inline constexpr std::int64_t pattern_program_bytes_max =
    256 << 10;  // of a compiled one: some 8,000 instructions
// Steps of one function that goes over one argument for each part of another: a second at worst, as
// nothing interrupts it.
inline constexpr std::size_t function_work_max = std::size_t{1} << 30;
// Bytes of a text times instructions of the program that goes over it: a second at worst, as
// nothing
// interrupts it. A document's longest text fits with 128 instructions.
inline constexpr std::size_t pattern_work_max = std::size_t{1} << 28;

inline constexpr std::size_t stemmed_word_bytes_max =
    256;  // longer words are their own stems: no language has them

// Nodes of an expression that an index holds the value of: each write of a document evaluates it.
inline constexpr std::size_t stored_expression_nodes_max = 64;

}  // namespace mayfly::limits
