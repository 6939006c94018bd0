// Errors of a query: positions in its text, codes and messages, in the JSON that clients of Cosmos
// DB expect in the message of a 400:
//
//   {"errors":[{"severity":"Error","location":{"start":7,"end":14},"code":"SC2005","message":"…"}]}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace mayfly::cosmos::sql {

// Bytes of the query's text, from `start` up to and without `end`.
struct TextRange {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  bool operator==(const TextRange&) const = default;
};

struct Diagnostic {
  Value code;  // a text, except the few codes that are numbers in the service
  std::string message;
  std::optional<TextRange> range = {};
};

// Positions are in UTF-16 code units, as clients count characters; `text` is UTF-8.
std::string render_diagnostics(std::string_view text, const std::vector<Diagnostic>& diagnostics);

// The error whose message is that JSON.
Error refusal(Code code, std::string_view text, const std::vector<Diagnostic>& diagnostics);
Error refusal(Code code, std::string_view text, Diagnostic diagnostic);

}  // namespace mayfly::cosmos::sql
