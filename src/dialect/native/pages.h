// Pages of lists: the token that goes on with a list (common/page_token.h).
#pragma once

#include <string>
#include <string_view>

#include "dialect/native/call.h"

namespace mayfly::native {

// `list` says which list it is: whatever would make the place mean something else.
std::string seal_page(const Call& call, std::string_view list, BytesView place);
// Fails with invalid; `field` is "page".
Result<Bytes> open_page(const Call& call, std::string_view list, std::string_view page);

}  // namespace mayfly::native
