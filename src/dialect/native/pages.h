// Pages of lists: the token for the next page (common/page_token.h).
#pragma once

#include <string>
#include <string_view>

#include "dialect/native/call.h"

namespace mayfly::native {

// `list` identifies the list: everything that the meaning of the position depends on.
std::string seal_page(const NativeCall& call, std::string_view list, BytesView place);
// Fails with invalid; `field` is "page".
Result<Bytes> open_page(const NativeCall& call, std::string_view list, std::string_view page);

}  // namespace mayfly::native
