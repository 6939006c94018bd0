// Opaque places in a list, as clients carry them from page to page. A token is good only for the
// list it came from, and only unaltered.
//
//   token := base64url(check(8 bytes) place)     check: the first bytes of SHA-256 over the list's
//   name and the place
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace mayfly::native {

// `list` says which list it is: whatever would make the place mean something else.
std::string seal_place(std::string_view list, BytesView place);
// Fails with invalid; `field` is "page".
Result<Bytes> open_place(std::string_view list, std::string_view token);

}  // namespace mayfly::native
