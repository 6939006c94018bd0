// A document around an event: before the event, and after it.
#pragma once

#include <optional>

#include "db/database.h"
#include "db/feed/feed.h"

namespace mayfly {

// One view for all reads of one batch of events; opened when the first of them is read.
class LazyView {
 public:
  explicit LazyView(Database& database) : database_(database) {}
  View& get() {
    if (!view_) view_.emplace(database_.view());
    return *view_;
  }

 private:
  Database& database_;
  std::optional<View> view_;
};

// Each image is read when it is first requested, and only once. Threads: one at a time.
class EventImages {
 public:
  // All arguments outlive it; the view is opened after the event was committed.
  EventImages(LazyView& view, const Collection& collection, const Event& event)
      : view_(view), collection_(collection), event_(event) {}

  // The version that the event ended; for an expired document, as it was when it expired. Nothing
  // if there was none, or if neither history nor trash keeps it.
  const std::optional<Document>& before();
  // The version that the event made. Nothing if it made none, or if it has been replaced since and
  // the history does not keep it.
  const std::optional<Document>& after();
  // The document that the event is about: after() if the event made a version, else before().
  const std::optional<Document>& document();
  // Whether a read has failed: then a missing image may exist after all.
  bool has_failed() const { return has_failed_; }

 private:
  std::optional<Document> or_nothing(Result<std::optional<Document>> read);
  std::optional<Document> read_as_of(Instant t);
  std::optional<Document> read_removed();
  std::optional<Document> read_trash();
  std::optional<Document> read_living();

  LazyView& view_;
  const Collection& collection_;
  const Event& event_;
  std::optional<std::optional<Document>> before_;
  std::optional<std::optional<Document>> after_;
  bool has_failed_ = false;
};

}  // namespace mayfly
