// The OpenAPI 3.1 document, rendered from the routes and schemas.
#pragma once

#include <string>

namespace mayfly::native {

std::string render_openapi();

}  // namespace mayfly::native
