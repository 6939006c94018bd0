#include "dialect/centrali/events/page.h"

#include <algorithm>

#include "dialect/centrali/limits.h"

namespace mayfly::centrali {
namespace {

constexpr FeedPosition end_of(Instant commit) {
  return {commit, UINT32_MAX};
}

struct FeedPageEvents {
  std::vector<Event> events;  // whole commits
  Instant upto;
};

// A page of one feed, completed to the end of its last commit.
Result<FeedPageEvents> read_events(Feed& feed, const Collection& collection, Instant after,
                                   Instant until) {
  FeedPage page = TRY(feed.read(collection, end_of(after), limits::event_page_max, until));
  FeedPageEvents read{std::move(page.events), until};
  if (!page.has_more || read.events.empty()) return read;
  read.upto = read.events.back().committed_at;
  while (page.has_more) {
    page = TRY(feed.read(collection, page.last, limits::event_page_max, read.upto));
    read.events.insert(read.events.end(), std::make_move_iterator(page.events.begin()),
                       std::make_move_iterator(page.events.end()));
  }
  return read;
}

// The events of all structures, in the order of the commits, and within a commit in that of the
// collections.
struct WorkspaceEvents {
  std::vector<StructurePtr> structures;
  std::vector<std::pair<std::size_t, Event>> events;  // with the index of its structure
  Instant upto;
};

Result<WorkspaceEvents> read_all(Database& database, const Workspace& workspace, Instant after,
                                 Instant until, const std::set<CollectionId>* only) {
  WorkspaceEvents all{.structures = {}, .events = {}, .upto = until};
  for (const StructurePtr& structure : workspace.structures()) {
    const Collection& collection = *structure->collection;
    if (only != nullptr && !only->contains(collection.id)) continue;
    if (collection.policy.feed.span == Span{0}) continue;
    FeedPageEvents read = TRY(read_events(database.feed(), collection, after, until));
    all.upto = std::min(all.upto, read.upto);
    for (Event& event : read.events) {
      all.events.emplace_back(all.structures.size(), std::move(event));
    }
    all.structures.push_back(structure);
  }
  const auto place = [&all](const auto& event) {
    return std::pair(event.second.committed_at, all.structures[event.first]->collection->id);
  };
  std::stable_sort(all.events.begin(), all.events.end(),
                   [&place](const auto& a, const auto& b) { return place(a) < place(b); });
  return all;
}

}  // namespace

Result<NoticePage> read_notices(Database& database, const Workspace& workspace,
                                const std::string& slug, Instant after, Instant until,
                                const std::set<CollectionId>* only) {
  const WorkspaceEvents all = TRY(read_all(database, workspace, after, until, only));
  NoticePage page{.notices = {}, .upto = all.upto};
  View view = database.view();
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < all.events.size();) {
    const Instant at = all.events[i].second.committed_at;
    if (at > all.upto) break;
    const std::size_t first = page.notices.size();
    while (i < all.events.size() && all.events[i].second.committed_at == at) {
      const std::size_t place = all.events[i].first;
      std::vector<Event> commit;
      for (; i < all.events.size() && all.events[i].first == place &&
             all.events[i].second.committed_at == at;
           ++i) {
        commit.push_back(all.events[i].second);
      }
      const std::size_t first_of_commit = page.notices.size();
      TRY(append_notices(view, all.structures[place], slug, commit, bytes, page.notices));
      for (std::size_t n = first_of_commit; n < page.notices.size(); ++n) {
        page.notices[n].number = static_cast<std::uint32_t>(n - first_of_commit + 1);
      }
    }
    if (page.notices.size() > first) page.notices.back().ends_commit = true;
    if (bytes >= limits::event_page_bytes_max / 2 && i < all.events.size()) {
      page.upto = at;
      break;
    }
  }
  return page;
}

}  // namespace mayfly::centrali
