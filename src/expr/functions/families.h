// The families of the function library, each a table in its own file, and their common helpers.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "expr/function.h"

namespace mayfly {

std::span<const Function> comparison_functions();
std::span<const Function> logic_functions();
std::span<const Function> arithmetic_functions();
std::span<const Function> mathematics_functions();
std::span<const Function> integer_functions();
std::span<const Function> bit_functions();
std::span<const Function> text_functions();
std::span<const Function> utf16_functions();
std::span<const Function> search_functions();
std::span<const Function> pattern_functions();
std::span<const Function> array_functions();
std::span<const Function> array_summary_functions();
std::span<const Function> object_functions();
std::span<const Function> conversion_functions();
std::span<const Function> time_functions();
std::span<const Function> time_text_functions();
std::span<const Function> time_part_functions();
std::span<const Function> time_format_functions();
std::span<const Function> geo_functions();
std::span<const Function> vector_functions();
std::span<const Function> within_functions();
std::span<const Function> word_functions();
std::span<const Function> full_text_functions();
std::span<const Function> millis_functions();
std::span<const Function> hashing_functions();

// These make rows, by the number of arguments. A test returns true, false or missing.
using Apply = Result<Value> (*)(const Arguments&);
inline Function n_ary(std::string_view name, std::size_t least, std::size_t most,
                      std::string_view summary, Apply apply, std::vector<Example> examples) {
  return {name, summary, least, most, apply, std::move(examples)};
}
inline Function unary(std::string_view name, std::string_view summary, Apply apply,
                      std::vector<Example> examples) {
  return n_ary(name, 1, 1, summary, apply, std::move(examples));
}
inline Function binary(std::string_view name, std::string_view summary, Apply apply,
                       std::vector<Example> examples) {
  return n_ary(name, 2, 2, summary, apply, std::move(examples));
}
inline Function binary_test(std::string_view name, std::string_view summary, Apply apply,
                            std::vector<Example> examples) {
  Function row = binary(name, summary, apply, std::move(examples));
  row.gives_truth = true;
  return row;
}
// For a row that never gives NaN or an infinite number, in a family that may (Family).
inline Function finite(Function row) {
  row.is_finite = true;
  return row;
}
// A function that is written between its two arguments, by its symbol.
inline Function binary_symbol(std::string_view name, std::string_view symbol,
                              std::string_view summary, Apply apply,
                              std::vector<Example> examples) {
  Function row = binary(name, summary, apply, std::move(examples));
  row.symbol = symbol;
  return row;
}

// The column `apply` for a function of one real; missing if the argument is no number.
template <double (*function)(double)>
Result<Value> of_real(const Arguments& a) {
  return a[0].is_number() ? Value(function(a[0].number())) : Value();
}

inline bool all_texts(const Arguments& a) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].is(Kind::text)) return false;
  }
  return true;
}

// The whole number of a value, also of a real without a fraction; nullopt if it is none, or beyond
// 64 bits.
inline std::optional<std::int64_t> whole_number(const Value& value) {
  if (value.is(Kind::integer)) return value.integer();
  if (!value.is(Kind::real) || std::floor(value.real()) != value.real()) return std::nullopt;
  if (!(std::abs(value.real()) < 0x1p63)) return std::nullopt;
  return static_cast<std::int64_t>(value.real());
}

// The same for a length or a position: one beyond 64 bits becomes the nearest bound.
inline std::optional<std::int64_t> whole_number_or_bound(const Value& value) {
  if (!value.is(Kind::real) || std::abs(value.real()) < 0x1p63) return whole_number(value);
  if (!std::isfinite(value.real())) return std::nullopt;
  return value.real() < 0 ? INT64_MIN : INT64_MAX;
}

// Fails with too_large if a function would make a text or an array larger than any document can
// hold.
inline Result<void> check_text_size(std::size_t bytes) {
  if (bytes <= limits::document_bytes_max) return {};
  return fail(Code::too_large, "An expression makes a text longer than document_bytes_max (" +
                                   std::to_string(limits::document_bytes_max) + " bytes).");
}
inline Result<void> check_array_size(std::size_t items) {
  constexpr std::size_t items_max = limits::document_bytes_max / 2;  // as "0," in JSON
  if (items <= items_max) return {};
  return fail(Code::too_large,
              "An expression makes an array of more items than a document can hold (" +
                  std::to_string(items_max) + ").");
}

}  // namespace mayfly
