// The certificate of the server: from the configured files, or one that the server generates.
#pragma once

#include <optional>
#include <string>

#include "base/crypto/certificate.h"
#include "base/service/settings.h"

namespace mayfly::app {

// The certificate and the key from the files of `tls.certificate` and `tls.key`; nullopt if both
// are unset. Fails with invalid if only one is set, a file cannot be read, or its content is wrong;
// the message names the file.
Result<std::optional<Identity>> configured_identity(const Settings& settings);

// The server's own certificate, in the folder `tls` of the data directory, which exists. It is
// generated and stored again if it is missing, damaged, or expired at `now`. With ":memory:", or if
// it cannot be written, it lasts as long as the process.
Identity own_identity(const std::string& data, Instant now);

}  // namespace mayfly::app
