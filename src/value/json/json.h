// JSON text to Value and back. Reading is strict RFC 8259 in UTF-8 (simdjson does the work);
// writing is ours, because the shortest text of each number and the wire's spelling of times matter
// to clients.
#pragma once

#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly {

struct JsonLimits {
  std::size_t bytes_max = limits::request_body_bytes_max;
  std::size_t depth_max = limits::document_depth_max;
};

// Whole numbers within int64 become integers, all others reals; a number that no finite double is
// near (1e400) fails. Of duplicate names the last one counts, at the first one's place. Fails with
// invalid (the message gives the byte position and what is wrong) or too_large.
Result<Value> parse_json(std::string_view text, const JsonLimits& limits = {});

// Compact JSON. A missing member or item is left out of an object and written null elsewhere; times
// as RFC 3339 UTC with no, three or six digits of fraction, as few as say it exactly; dates
// "2026-01-02"; binary as base64; references {"collection":…,"id":…}. Numbers are written as
// JavaScript writes them: the shortest text that reads back as the same double, a whole real
// without
// ".0" (so that parse_json takes it for an integer); NaN and infinities as null.
std::string render_json(const Value& value);
void render_json(const Value& value, std::string& out);
// One JSON string literal, with the quotes.
void render_json_text(std::string_view text, std::string& out);

}  // namespace mayfly
