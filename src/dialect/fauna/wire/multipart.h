// Parses the subset of multipart/form-data that files of a schema need: named parts without
// encodings.
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

// The parts of a body of that content-type. Fails with invalid for another type, a missing
// boundary, a part without a name or an end, or more parts than limits::schema_files_max.
Result<std::vector<FormPart>> read_multipart(std::string_view content_type, std::string_view body);

}  // namespace mayfly::fauna
