// Scrolls: the open scrolls by id. Each is kept for as long after its last page as its client
// requested. Their number and bytes are bounded, for each client and in total, and none survives a
// restart. When a bound is reached, the scroll that was idle longest is dropped: of the client that
// is over its own bound, otherwise of all. An id is a page token (common/page_token.h). Its
// expiration is kept here, because each page extends it.
//
//   id = TRY(scrolls.keep(page.next, {client, view.now(), TRY(parse_duration("30s"))}));
//   CollectionId of = TRY(scrolls.place(id, view.now()));  // rights on it are checked first
//   Scroll scroll = TRY(scrolls.take(id, view.now()));
//   page = TRY(go_on(scroll, context));
//   TRY(scrolls.keep_again(id, page.next, {client, view.now(), keep_for}));  // the id stays
// If reading a page fails, the scroll stays taken; the caller puts it back with keep_again(id,
// scroll, …).
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/random.h"
#include "dialect/common/page_token.h"
#include "dialect/kuzzle/search/search.h"

namespace mayfly::kuzzle::search {

// "30s", "1m", "500ms", "2h", "1d"; empty: 15 seconds. Fails with invalid.
Result<Span> parse_duration(std::string_view text, std::string field = "scroll");

// Threads: any. Times are of the database's clock.
class Scrolls {
 public:
  // `tokens` outlives it.
  explicit Scrolls(const PageTokens& tokens) : tokens_(tokens) {}

  struct ScrollLease {
    std::string client;
    Instant now;
    Span keep_for;
  };
  // Keeps a new scroll. Fails with too_large where it alone is over a client's bound.
  Result<std::string> keep(Scroll scroll, const ScrollLease& lease);
  Result<void> keep_again(const std::string& id, Scroll scroll, const ScrollLease& lease);
  // Removes and returns it. Fails with not_found if it does not exist or has expired.
  Result<Scroll> take(const std::string& id, Instant now);
  // The collection that it reads; the scroll stays. Fails like take().
  Result<CollectionId> place(const std::string& id, Instant now) const;
  // Removes all scrolls.
  void drop_all();
  std::size_t size() const;

 private:
  struct StoredScroll {
    Scroll scroll;
    Instant until;
    std::size_t bytes = 0;
    std::string client;
    std::uint64_t last_use = 0;  // number of its last use: the lowest was idle longest
  };
  struct Use {
    std::size_t scrolls = 0;
    std::size_t bytes = 0;
  };
  using Map = std::map<Bytes, StoredScroll>;
  Result<Bytes> place_of(const std::string& id, Instant now) const;
  Result<void> keep_at(const Bytes& place, Scroll scroll, const ScrollLease& lease);
  Map::iterator drop(Map::iterator at);
  void drop_ended(Instant now);
  // Of one client, or of all (null).
  void drop_longest_idle(const std::string* client);
  bool has_room(const Use& use, const Use& most, std::size_t bytes) const;

  const PageTokens& tokens_;
  mutable std::mutex mutex_;
  Map scrolls_;
  Use all_;
  std::map<std::string, Use, std::less<>> by_client_;
  std::uint64_t next_use_ = 1;
};

}  // namespace mayfly::kuzzle::search
