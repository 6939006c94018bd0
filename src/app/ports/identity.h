// Whom the server is to its clients: a certificate out of the files that were named, or one of its
// own making.
#pragma once

#include <optional>
#include <string>

#include "base/crypto/certificate.h"
#include "base/service/settings.h"

namespace mayfly::app {

// The certificate and the key that `tls.certificate` and `tls.key` name; nothing where they name
// none. Fails with invalid where only one is named, a file cannot be read, or what is in them is
// not what it should be; the message names the file.
Result<std::optional<Identity>> configured_identity(const Settings& settings);

// The server's own: what lies in the folder `tls` of the data directory, which exists; made anew,
// and kept there, where there is none, it is damaged, or it has ended at `now`. With ":memory:", or
// where it cannot be written, it lasts as long as the process.
Identity own_identity(const std::string& data, Instant now);

}  // namespace mayfly::app
