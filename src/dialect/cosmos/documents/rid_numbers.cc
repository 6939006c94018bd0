#include "dialect/cosmos/documents/rid_numbers.h"

#include <algorithm>

namespace mayfly::cosmos {
namespace {

// In each microsecond since 2020 so many can be created; 60 bits last until the year 2162.
constexpr std::uint64_t per_micro = 256;
constexpr Instant epoch = Instant::from_seconds(1'577'836'800);
constexpr char facet_tag = 'C';
constexpr std::size_t facet_bytes = 9;

}  // namespace

std::uint64_t first_number_at(Instant t) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>((t - epoch).micros, 0)) * per_micro;
}

Instant created_about(std::uint64_t number) {
  return epoch + Span{static_cast<std::int64_t>(number / per_micro)};
}

std::uint64_t RidNumbers::next(Instant now) {
  const std::uint64_t earliest = first_number_at(now);
  std::uint64_t last = last_.load();
  std::uint64_t number = 0;
  do {
    number = std::max(last + 1, earliest);
  } while (!last_.compare_exchange_weak(last, number));
  return number;
}

Bytes facet_of(std::uint64_t number) {
  Bytes facet(1, facet_tag);
  for (int shift = 56; shift >= 0; shift -= 8) facet += static_cast<char>(number >> shift);
  return facet;
}

std::uint64_t number_of(const Document& document) {
  const BytesView facet = document.facet;
  std::uint64_t number = 0;
  if (facet.size() == facet_bytes && facet.front() == facet_tag) {
    for (const char c : facet.substr(1)) number = number << 8 | static_cast<unsigned char>(c);
    return number;
  }
  for (const char c : document.key) number = number * 31 + static_cast<unsigned char>(c);
  return first_number_at(document.created_at) + number % per_micro;
}

}  // namespace mayfly::cosmos
