// Implemented with ICU.
#include "dialect/fauna/library/scalars/case_fold.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include <algorithm>
#include <iterator>

#include "base/check.h"

namespace mayfly::fauna {
namespace {

using Normalizer = const icu::Normalizer2* (*)(UErrorCode& status);

struct NormalForm {
  std::string_view name;
  Normalizer normalizer;
};
constexpr NormalForm normal_forms[] = {
    {"NFKCCaseFold", icu::Normalizer2::getNFKCCasefoldInstance},
    {"NFC", icu::Normalizer2::getNFCInstance},
    {"NFD", icu::Normalizer2::getNFDInstance},
    {"NFKC", icu::Normalizer2::getNFKCInstance},
    {"NFKD", icu::Normalizer2::getNFKDInstance},
};

}  // namespace

std::optional<std::string> case_folded(std::string_view text, std::string_view form) {
  const auto* const row = std::ranges::find(normal_forms, form, &NormalForm::name);
  if (row == std::end(normal_forms)) return std::nullopt;
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const normalizer = row->normalizer(status);
  CHECK(U_SUCCESS(status));  // the forms are part of the library
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  normalizer->normalizeUTF8(0,
                            icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())),
                            sink, nullptr, status);
  CHECK(U_SUCCESS(status));
  return out;
}

}  // namespace mayfly::fauna
