// Bodies of HTML forms, which Kuzzle accepts in place of JSON: application/x-www-form-urlencoded,
// and multipart/form-data (RFC 7578).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "value/value.h"

namespace mayfly::kuzzle {

// Whether a content type names a form.
bool is_form(std::string_view content_type);

// The fields of a form as the members of a body: texts, and for a file {filename, encoding, file}
// with its bytes in base64. If a name repeats, the last field counts. Fails with invalid, and with
// too_large over limits::form_fields_max.
Result<Object> parse_form(std::string_view content_type, std::string_view body);

}  // namespace mayfly::kuzzle
