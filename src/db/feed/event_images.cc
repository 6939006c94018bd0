#include "db/feed/event_images.h"

#include "base/service/logging.h"

namespace mayfly {
const std::optional<Document>& EventImages::before() {
  if (before_) return *before_;
  before_.emplace();
  switch (event_.kind) {
    case Event::Kind::expired:
      *before_ = read_as_of(event_.death - Span{1});
      // A version that ended before it was written has never been there; the one before it has.
      if (*before_ && (*before_)->version.written_at != event_.version_at) before_->reset();
      if (!*before_) *before_ = read_trash();
      break;
    case Event::Kind::replaced: *before_ = read_as_of(event_.committed_at - Span{1}); break;
    case Event::Kind::removed:
      *before_ = read_as_of(event_.committed_at - Span{1});
      if (!*before_) *before_ = read_removed();
      break;
    case Event::Kind::created:
    case Event::Kind::restored:
    case Event::Kind::forgotten: break;
  }
  return *before_;
}

const std::optional<Document>& EventImages::after() {
  if (after_) return *after_;
  after_.emplace();
  switch (event_.kind) {
    case Event::Kind::created:
    case Event::Kind::replaced:
    case Event::Kind::restored:
      *after_ = read_as_of(event_.committed_at);
      if (!*after_) *after_ = read_living();
      break;
    case Event::Kind::expired:
    case Event::Kind::removed:
    case Event::Kind::forgotten: break;
  }
  return *after_;
}

const std::optional<Document>& EventImages::document() {
  switch (event_.kind) {
    case Event::Kind::created:
    case Event::Kind::replaced:
    case Event::Kind::restored: return after();
    case Event::Kind::expired:
    case Event::Kind::removed:
    case Event::Kind::forgotten: break;
  }
  return before();
}

// A document that cannot be read counts as missing.
std::optional<Document> EventImages::or_nothing(Result<std::optional<Document>> read) {
  if (read) return *std::move(read);
  has_failed_ = true;
  log(LogLevel::warn, "an event's document could not be read", {{"error", read.error().message}});
  return std::nullopt;
}

std::optional<Document> EventImages::read_as_of(Instant t) {
  View& view = view_.get();
  const auto lens = view.as_of(t, collection_);
  if (!lens) return std::nullopt;
  return or_nothing(view.get(collection_, event_.key, *lens));
}

std::optional<Document> EventImages::read_removed() {
  auto removed = or_nothing(view_.get().get_removed(collection_, event_.key));
  if (!removed || removed->version.removed_at != event_.committed_at) return std::nullopt;
  return removed;
}

// An expired document is in the trash from its death on.
std::optional<Document> EventImages::read_trash() {
  auto removed = or_nothing(view_.get().get_removed(collection_, event_.key));
  if (!removed || removed->version.written_at != event_.version_at) return std::nullopt;
  return removed;
}

std::optional<Document> EventImages::read_living() {
  View& view = view_.get();
  auto living = or_nothing(view.get(collection_, event_.key, view.live()));
  if (!living || living->version.written_at != event_.version_at) return std::nullopt;
  return living;
}

}  // namespace mayfly
