// Scrolls: those that may still be gone on with, by id. Each is kept so long after its last page as
// its client asked; they are bounded in number and bytes, and none outlives the process.
//
//   id = TRY(scrolls.keep(page.next, view.now(), TRY(parse_duration("30s"))));
//   Scroll scroll = TRY(scrolls.take(id, view.now()));
//   page = TRY(go_on(scroll, place));
//   TRY(scrolls.keep_again(id, page.next, view.now(), keep_for));   // the id stays the same
// A page that failed leaves the scroll taken: it is put back with keep_again(id, scroll, …).
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/random.h"
#include "dialect/kuzzle/search/search.h"

namespace mayfly::kuzzle::search {

// "30s", "1m", "500ms", "2h", "1d"; empty: 15 seconds. Fails with invalid.
Result<Span> parse_duration(std::string_view text, std::string field = "scroll");

// Threads: any. Times are of the database's clock.
class Scrolls {
 public:
  // Keeps a new scroll. Fails with throttled over limits::scrolls_max or scrolls_bytes_max.
  Result<std::string> keep(Scroll scroll, Instant now, Span keep_for);
  Result<void> keep_again(const std::string& id, Scroll scroll, Instant now, Span keep_for);
  // Gives it and keeps it no more. Fails with not_found: there is none, or its time is over.
  Result<Scroll> take(const std::string& id, Instant now);
  // Keeps none any more.
  void drop_all();
  std::size_t size() const;

 private:
  struct Kept {
    Scroll scroll;
    Instant until;
    std::size_t bytes = 0;
  };
  void drop_ended(Instant now);

  mutable std::mutex mutex_;
  std::map<std::string, Kept, std::less<>> kept_;
  std::size_t bytes_ = 0;
};

}  // namespace mayfly::kuzzle::search
