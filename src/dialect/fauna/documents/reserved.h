// Names that documents keep for themselves.
#pragma once

#include <string_view>

#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {

// A field of that name cannot be written but by the *Data methods.
bool is_reserved(std::string_view field);
// A stored field of that name is shown under `data`.
bool hides_field(std::string_view field);
// A field of a document that FQL itself defines which is stored and never shown.
bool is_secret(const SystemCollection& of, std::string_view field);

}  // namespace mayfly::fauna
