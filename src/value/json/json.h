// Parses and renders JSON. Parsing is strict RFC 8259 in UTF-8 (by simdjson). Rendering is our own
// code, because clients depend on the shortest text of each number and on the format of times.
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

// Whole numbers within int64 become integers, all others reals; a number beyond the range of double
// (1e400) fails. Of duplicate names the last value counts, at the first one's place. Fails with
// invalid (the message has the byte position and the problem), and with too_large beyond `limits`
// or limits::parsed_bytes_max of memory. A text of more than limits::quickly_parsed_bytes_max
// counts as long work: with a RunPermit, the call may block for other requests, and fails with
// timed_out if the response is no longer needed.
Result<Value> parse_json(std::string_view text, const JsonLimits& limits = {});

// Compact JSON. A missing member or item is left out of an object and written as null elsewhere.
// Times are RFC 3339 in UTC with no, three or six digits of fraction, whichever is the shortest
// exact form; dates are "2026-01-02"; binary is base64; references are {"collection":…,"id":…}.
// Numbers are written as JavaScript writes them: the shortest text that reads back as the same
// double. A whole real has no ".0" (so parse_json reads it as an integer); NaN and infinities are
// null.
std::string render_json(const Value& value);
void render_json(const Value& value, std::string& out);
// One JSON string literal, with the quotes.
void render_json_text(std::string_view text, std::string& out);

}  // namespace mayfly
