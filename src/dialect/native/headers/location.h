// The path of something that was created: the value of the header Location.
#pragma once

#include <string>
#include <string_view>

#include "db/rows/document.h"

namespace mayfly::native {

std::string location_of(std::string_view database);
std::string location_of(std::string_view database, std::string_view collection);
std::string location_of(std::string_view database, std::string_view collection,
                        const DocumentKey& key);

}  // namespace mayfly::native
