#include "net/requests/response_stamps.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>

#include "base/crypto/crypto.h"
#include "base/random.h"

namespace mayfly::net {
namespace {

constexpr std::size_t id_bytes_max = 128;  // it is returned in a header

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

// Maps different numbers to different numbers, and adjacent ones far apart.
std::uint64_t scatter(std::uint64_t n) {
  n = (n ^ (n >> 30)) * 0xBF58476D1CE4E5B9U;
  n = (n ^ (n >> 27)) * 0x94D049BB133111EBU;
  return n ^ (n >> 31);
}

// A unique number for each call in this process. Each thread takes blocks of numbers, so that
// threads do not wait for each other.
std::uint64_t next_number() {
  constexpr std::uint64_t block = 1 << 16;
  static std::atomic<std::uint64_t> taken = 0;
  thread_local std::uint64_t next = 0;
  if (next % block == 0) next = taken.fetch_add(block, std::memory_order_relaxed);
  return next++;
}

}  // namespace

ResponseStamps::ResponseStamps(const Clock* clock) : clock_(clock), seed_(Random::system_seed()) {
  static const SystemClock system;
  if (clock_ == nullptr) clock_ = &system;
}

const std::string& ResponseStamps::assign_id(Request& request) const {
  constexpr std::string_view name = "x-request-id";
  auto header = std::find_if(request.headers.begin(), request.headers.end(),
                             [&](const Pair& one) { return one.first == name; });
  if (header == request.headers.end()) {
    request.headers.emplace_back(name, std::string());
    header = request.headers.end() - 1;
  }
  std::string& id = header->second;
  const bool is_good = !id.empty() && id.size() <= id_bytes_max && is_printable(id);
  if (!is_good) id = encode_hex(scatter(seed_ + next_number()));
  return id;
}

// Caches the text, because most answers are in the same second as the previous one.
std::string_view ResponseStamps::date() const {
  struct Rendered {
    std::time_t seconds = 0;
    std::size_t bytes = 0;
    std::array<char, 32> text = {};
  };
  thread_local Rendered last;
  const std::time_t seconds = clock_->now().whole_seconds();
  if (last.bytes == 0 || last.seconds != seconds) {
    std::tm date = {};
    gmtime_r(&seconds, &date);
    last.seconds = seconds;
    last.bytes =
        std::strftime(last.text.data(), last.text.size(), "%a, %d %b %Y %H:%M:%S GMT", &date);
  }
  return {last.text.data(), last.bytes};
}

}  // namespace mayfly::net
