#include "dialect/centrali/events/page.h"

#include <algorithm>

#include "base/limits.h"

namespace mayfly::centrali {
namespace {

constexpr FeedPosition end_of(Instant commit) {
  return {commit, UINT32_MAX};
}

struct Events {
  std::vector<Event> events;  // whole commits
  Instant upto;
};

// A page of one feed, and the rest of the commit that it ends in.
Result<Events> read_events(Feed& feed, const Collection& collection, Instant after, Instant until) {
  FeedPage page = TRY(feed.read(collection, end_of(after), limits::event_page_max, until));
  Events read{std::move(page.events), until};
  if (!page.has_more || read.events.empty()) return read;
  read.upto = read.events.back().committed_at;
  while (page.has_more) {
    page = TRY(feed.read(collection, page.last, limits::event_page_max, read.upto));
    read.events.insert(read.events.end(), std::make_move_iterator(page.events.begin()),
                       std::make_move_iterator(page.events.end()));
  }
  return read;
}

// One commit may have notices of several structures: the last of them ends it.
void mark_ends(std::vector<Notice>& notices) {
  for (std::size_t i = 0; i < notices.size(); ++i) {
    notices[i].ends_commit =
        i + 1 == notices.size() || notices[i + 1].committed_at != notices[i].committed_at;
  }
}

}  // namespace

Result<NoticePage> read_notices(Database& database, const Workspace& workspace,
                                const std::string& slug, Instant after, Instant until,
                                const std::set<CollectionId>* only) {
  std::vector<std::pair<StructurePtr, Events>> all;
  NoticePage page{.notices = {}, .upto = until};
  for (const StructurePtr& structure : workspace.structures()) {
    const Collection& collection = *structure->collection;
    if (only != nullptr && !only->contains(collection.id)) continue;
    if (collection.policy.feed.span == Span{0}) continue;
    all.emplace_back(structure, TRY(read_events(database.feed(), collection, after, until)));
    page.upto = std::min(page.upto, all.back().second.upto);
  }
  View view = database.view();
  for (const auto& [structure, read] : all) {
    const auto is_behind = [&](const Event& event) { return event.committed_at > page.upto; };
    const auto end = std::find_if(read.events.begin(), read.events.end(), is_behind);
    const std::span<const Event> events(read.events.begin(), end);
    auto notices = TRY(notices_of(view, structure, slug, events));
    std::move(notices.begin(), notices.end(), std::back_inserter(page.notices));
  }
  std::stable_sort(page.notices.begin(), page.notices.end(), [](const Notice& a, const Notice& b) {
    return a.committed_at < b.committed_at;
  });
  mark_ends(page.notices);
  return page;
}

}  // namespace mayfly::centrali
