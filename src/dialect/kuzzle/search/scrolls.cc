#include "dialect/kuzzle/search/scrolls.h"

#include <charconv>

#include "base/crypto/crypto.h"
#include "dialect/kuzzle/search/limits.h"

namespace mayfly::kuzzle::search {
namespace {

struct ScrollUnit {
  std::string_view name;
  std::int64_t millis;
};
constexpr ScrollUnit scroll_units[] = {
    {"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};

// The approximate memory that it takes.
std::size_t bytes_of(const Scroll& scroll) {
  constexpr std::size_t beside = 1'024;
  return beside + scroll.search->bytes +
         (scroll.bookmark ? query::encode(*scroll.bookmark).size() : 0);
}

constexpr std::string_view scrolls_list = "kuzzle scrolls";

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

Result<std::string> Scrolls::keep(Scroll scroll, const ScrollLease& lease) {
  constexpr std::size_t place_bytes = 16;
  const Bytes place =
      random_bytes(place_bytes);  // so that ids from before a restart match no new scroll
  TRY(keep_at(place, std::move(scroll), lease));
  return tokens_.seal({.list = scrolls_list, .place = place});
}

Result<void> Scrolls::keep_again(const std::string& id, Scroll scroll, const ScrollLease& lease) {
  return keep_at(TRY(place_of(id, lease.now)), std::move(scroll), lease);
}

Result<Bytes> Scrolls::place_of(const std::string& id, Instant now) const {
  auto place = tokens_.open(scrolls_list, id, now);
  if (!place) return unknown();
  return place;
}

Result<void> Scrolls::keep_at(const Bytes& place, Scroll scroll, const ScrollLease& lease) {
  constexpr Use most_of_all{limits::scrolls_max, limits::scrolls_bytes_max};
  constexpr Use most_of_client{limits::scrolls_of_client_max, limits::scrolls_of_client_bytes_max};
  const std::size_t bytes = bytes_of(scroll);
  if (bytes > most_of_client.bytes) {
    return fail(Code::too_large, "the query of the scroll is too large", "scroll");
  }
  const std::lock_guard lock(mutex_);
  if (const auto known = scrolls_.find(place); known != scrolls_.end()) drop(known);
  if (!has_room(all_, most_of_all, bytes)) drop_ended(lease.now);
  while (!has_room(by_client_[lease.client], most_of_client, bytes)) {
    drop_longest_idle(&lease.client);
  }
  while (!has_room(all_, most_of_all, bytes)) drop_longest_idle(nullptr);
  for (Use* use : {&all_, &by_client_[lease.client]}) {
    use->scrolls += 1;
    use->bytes += bytes;
  }
  scrolls_.emplace(place, StoredScroll{std::move(scroll), lease.now + lease.keep_for, bytes,
                                       lease.client, next_use_++});
  return {};
}

Result<Scroll> Scrolls::take(const std::string& id, Instant now) {
  const Bytes place = TRY(place_of(id, now));
  const std::lock_guard lock(mutex_);
  const auto found = scrolls_.find(place);
  if (found == scrolls_.end()) return unknown();
  const bool is_over = now >= found->second.until;
  Scroll scroll = std::move(found->second.scroll);
  drop(found);
  if (is_over) return unknown();
  return scroll;
}

Result<CollectionId> Scrolls::place(const std::string& id, Instant now) const {
  const Bytes place = TRY(place_of(id, now));
  const std::lock_guard lock(mutex_);
  const auto found = scrolls_.find(place);
  if (found == scrolls_.end() || now >= found->second.until) return unknown();
  return found->second.scroll.collection;
}

void Scrolls::drop_all() {
  const std::lock_guard lock(mutex_);
  scrolls_.clear();
  by_client_.clear();
  all_ = {};
}

std::size_t Scrolls::size() const {
  const std::lock_guard lock(mutex_);
  return scrolls_.size();
}

bool Scrolls::has_room(const Use& use, const Use& most, std::size_t bytes) const {
  return use.scrolls < most.scrolls && use.bytes + bytes <= most.bytes;
}

Scrolls::Map::iterator Scrolls::drop(Map::iterator at) {
  const auto of_client = by_client_.find(at->second.client);
  for (Use* use : {&all_, &of_client->second}) {
    use->scrolls -= 1;
    use->bytes -= at->second.bytes;
  }
  if (of_client->second.scrolls == 0) by_client_.erase(of_client);
  return scrolls_.erase(at);
}

void Scrolls::drop_ended(Instant now) {
  for (auto at = scrolls_.begin(); at != scrolls_.end();) {
    at = at->second.until > now ? std::next(at) : drop(at);
  }
}

void Scrolls::drop_longest_idle(const std::string* client) {
  auto longest = scrolls_.end();
  for (auto at = scrolls_.begin(); at != scrolls_.end(); ++at) {
    if (client != nullptr && at->second.client != *client) continue;
    if (longest == scrolls_.end() || at->second.last_use < longest->second.last_use) longest = at;
  }
  if (longest != scrolls_.end()) drop(longest);
}

}  // namespace mayfly::kuzzle::search
