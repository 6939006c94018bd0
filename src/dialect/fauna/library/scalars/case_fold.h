// The normal forms of Unicode.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mayfly::fauna {

// `form`: NFKCCaseFold, NFC, NFD, NFKC, NFKD; nullopt for any other.
std::optional<std::string> case_folded(std::string_view text, std::string_view form);

}  // namespace mayfly::fauna
