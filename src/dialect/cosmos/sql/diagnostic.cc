#include "dialect/cosmos/sql/diagnostic.h"

#include <algorithm>

#include "value/json/json.h"

namespace mayfly::cosmos::sql {
namespace {

std::int64_t characters_before(std::string_view text, std::uint32_t place) {
  std::int64_t units = 0;
  for (const char c : text.substr(0, place)) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte >> 6 != 2) ++units;  // begins a character
    if (byte >= 0xF0) ++units;    // one that is a surrogate pair
  }
  return units;
}

Value render(std::string_view text, const Diagnostic& diagnostic) {
  Object error{{"severity", "Error"}};
  if (diagnostic.range) {
    error.append("location", Object{{"start", characters_before(text, diagnostic.range->start)},
                                    {"end", characters_before(text, diagnostic.range->end)}});
  }
  error.append("code", diagnostic.code);
  error.append("message", diagnostic.message);
  return error;
}

}  // namespace

std::string render_diagnostics(std::string_view text, const std::vector<Diagnostic>& diagnostics) {
  Array errors;
  for (const Diagnostic& diagnostic : diagnostics) errors.push_back(render(text, diagnostic));
  return render_json(Object{{"errors", std::move(errors)}});
}

Error refusal(Code code, std::string_view text, const std::vector<Diagnostic>& diagnostics) {
  return {code, render_diagnostics(text, diagnostics)};
}

Error refusal(Code code, std::string_view text, Diagnostic diagnostic) {
  return refusal(code, text, std::vector<Diagnostic>{std::move(diagnostic)});
}

}  // namespace mayfly::cosmos::sql
