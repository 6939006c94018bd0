// The families of the function library, each a table in a file of its own, and what they share.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "expr/function.h"

namespace mayfly {

std::span<const Function> comparison_functions();
std::span<const Function> logic_functions();
std::span<const Function> arithmetic_functions();
std::span<const Function> text_functions();
std::span<const Function> search_functions();
std::span<const Function> array_functions();
std::span<const Function> object_functions();
std::span<const Function> conversion_functions();
std::span<const Function> time_functions();

inline bool all_texts(const Arguments& a) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].is(Kind::text)) return false;
  }
  return true;
}

// Fails with too_large where a function would make a text or an array that no document could hold.
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
