// Passwords as they are kept: never themselves, but what scrypt (RFC 7914) makes of them and a salt
// of their own. Both functions take some hundredths of a second, by design. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace mayfly {

// Text that tells how it was made. Fails with invalid for a password that is too long.
Result<std::string> hash_password(std::string_view password);
// Whether it is the one; false also where the hash is none of ours.
bool is_password(std::string_view password, std::string_view hash);

}  // namespace mayfly
