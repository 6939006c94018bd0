// Passwords are stored as a hash only: what scrypt (RFC 7914) computes from them and a random salt.
// Both functions take some hundredths of a second, by design. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace mayfly {

// A text that includes the salt and names the algorithm. Fails with invalid, and the field
// "password", for a password of more than 1,024 bytes.
Result<std::string> hash_password(std::string_view password);
// Whether the password matches the hash; false also if the hash has another format.
bool is_password(std::string_view password, std::string_view hash);

}  // namespace mayfly
