// multipart/form-data, as far as files of a schema need it: parts with names, no encodings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace mayfly::fauna {

struct FormPart {
  std::string name;
  std::string content;
};

// The parts of a body of that content-type. Fails with invalid: another type, no boundary, a part
// without a name or an end, more parts than limits::schema_files_max.
Result<std::vector<FormPart>> read_multipart(std::string_view content_type, std::string_view body);

}  // namespace mayfly::fauna
