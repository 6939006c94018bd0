// Field names with a special meaning.
#pragma once

#include <string_view>

#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {

// Whether only the *Data methods can write a field of that name.
bool is_reserved(std::string_view field);
// Whether a stored field of that name is shown under `data`.
bool hides_field(std::string_view field);
// Whether the field of a system document is stored and never shown.
bool is_secret(const SystemCollection& of, std::string_view field);

}  // namespace mayfly::fauna
