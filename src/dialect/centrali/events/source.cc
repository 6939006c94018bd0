#include "dialect/centrali/events/source.h"

#include <utility>

#include "dialect/centrali/events/page.h"

namespace mayfly::centrali {
namespace {

// The id is the position after this notice, at which a client resumes after a broken connection.
EventPiece piece_of(Notice notice) {
  const EventPosition position = position_of(notice);
  std::string text = "id: " + render(position) + "\nevent: message\ndata: ";
  text += std::exchange(notice.json, {});  // JSON has no line breaks
  text += "\n\n";
  return {position, std::move(text), std::move(notice)};
}

class WorkspaceSource final : public EventSource {
 public:
  WorkspaceSource(Database& database, std::shared_ptr<Directory> directory, std::string workspace)
      : database_(database),
        directory_(std::move(directory)),
        slug_(std::move(workspace)),
        name_(source_name(slug_)) {}

  const std::string& name() const override { return name_; }

  std::set<CollectionId> collections(const CatalogPtr& catalog) override {
    workspace_ = directory_->workspace(catalog, slug_);
    std::set<CollectionId> ids;
    if (!workspace_) return ids;
    for (const StructurePtr& structure : workspace_->structures()) {
      ids.insert(structure->collection->id);
    }
    return ids;
  }

  Result<EventPage> read(const EventPosition& after, Instant through,
                         const std::set<CollectionId>* only) override {
    EventPage page{.upto = EventPosition::behind(through)};
    if (!workspace_) return page;
    // The reader may have stopped within a commit, so part of that commit may still have to be
    // sent.
    const bool is_whole = after == EventPosition::behind(after.committed_at);
    const Instant from = is_whole ? after.committed_at : after.committed_at - Span{1};
    NoticePage read = TRY(read_notices(database_, *workspace_, slug_, from, through, only));
    page.upto = EventPosition::behind(read.upto);
    for (Notice& notice : read.notices) {
      if (position_of(notice) > after) page.pieces.push_back(piece_of(std::move(notice)));
    }
    return page;
  }

 private:
  Database& database_;
  const std::shared_ptr<Directory> directory_;
  const std::string slug_;
  const std::string name_;
  WorkspacePtr workspace_;  // as of the hub's last call
};

}  // namespace

std::string source_name(const std::string& workspace) {
  return "workspace " + workspace;
}

std::shared_ptr<EventSource> workspace_source(Database& database,
                                              std::shared_ptr<Directory> directory,
                                              std::string workspace) {
  return std::make_shared<WorkspaceSource>(database, std::move(directory), std::move(workspace));
}

}  // namespace mayfly::centrali
