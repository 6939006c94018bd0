#include "dialect/kuzzle/search/scrolls.h"

#include <charconv>

#include "base/crypto.h"
#include "dialect/kuzzle/search/limits.h"

namespace mayfly::kuzzle::search {
namespace {

struct ScrollUnit {
  std::string_view name;
  std::int64_t millis;
};
constexpr ScrollUnit scroll_units[] = {
    {"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};

// About how much memory it takes.
std::size_t bytes_of(const Scroll& scroll) {
  constexpr std::size_t beside = 1'024;
  return beside + scroll.search->bytes +
         (scroll.bookmark ? query::encode(*scroll.bookmark).size() : 0);
}

tl::unexpected<Error> unknown() {
  return fail(Code::not_found, "Non-existing or expired scroll identifier", "scrollId");
}

}  // namespace

Result<Span> parse_duration(std::string_view text, std::string field) {
  constexpr Span keep_default = Span::seconds(15);
  if (text.empty()) return keep_default;
  std::int64_t count = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view name = text.substr(static_cast<std::size_t>(read.ptr - text.data()));
  for (const ScrollUnit& unit : scroll_units) {
    if (read.ec != std::errc() || count < 0 || unit.name != name) continue;
    if (count > limits::scroll_keep_max.micros / (unit.millis * 1'000)) break;
    return Span::millis(count * unit.millis);
  }
  return fail(Code::invalid,
              "a duration is a number with ms, s, m, h or d behind it, at most a day", field);
}

Result<std::string> Scrolls::keep(Scroll scroll, Instant now, Span keep_for) {
  constexpr std::size_t id_bytes = 24;
  std::string id = encode_base64url(random_bytes(id_bytes));
  TRY(keep_again(id, std::move(scroll), now, keep_for));
  return id;
}

Result<void> Scrolls::keep_again(const std::string& id, Scroll scroll, Instant now, Span keep_for) {
  const std::size_t bytes = bytes_of(scroll);
  const std::lock_guard lock(mutex_);
  const bool is_full =
      kept_.size() >= limits::scrolls_max || bytes_ + bytes > limits::scrolls_bytes_max;
  if (is_full) drop_ended(now);
  if (kept_.size() >= limits::scrolls_max || bytes_ + bytes > limits::scrolls_bytes_max) {
    return fail(Code::throttled, "there are too many open scrolls; try again later", "scroll");
  }
  Kept& kept = kept_[id];
  bytes_ += bytes - kept.bytes;
  kept = {std::move(scroll), now + keep_for, bytes};
  return {};
}

Result<Scroll> Scrolls::take(const std::string& id, Instant now) {
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(id);
  if (found == kept_.end()) return unknown();
  Kept kept = std::move(found->second);
  kept_.erase(found);
  bytes_ -= kept.bytes;
  if (now >= kept.until) return unknown();
  return std::move(kept.scroll);
}

void Scrolls::drop_all() {
  const std::lock_guard lock(mutex_);
  kept_.clear();
  bytes_ = 0;
}

std::size_t Scrolls::size() const {
  const std::lock_guard lock(mutex_);
  return kept_.size();
}

void Scrolls::drop_ended(Instant now) {
  for (auto at = kept_.begin(); at != kept_.end();) {
    if (at->second.until > now) {
      ++at;
      continue;
    }
    bytes_ -= at->second.bytes;
    at = kept_.erase(at);
  }
}

}  // namespace mayfly::kuzzle::search
