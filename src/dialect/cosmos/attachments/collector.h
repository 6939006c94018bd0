// What becomes of attachments whose document is no more: nobody can see them, and this gives back
// the space that they take. It works in passes, each of which goes on where the one before has
// stopped, in small commits; so it may stop anywhere, and no answer depends on it
// (docs/decisions/0017).
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <span>
#include <thread>

#include "db/database.h"

namespace mayfly::cosmos {

struct Attachment;

// Threads: any.
class AttachmentCollector {
 public:
  enum class RunBy { itself, caller };
  // By itself: once in limits::attachment_passes_every, unless the server is overloaded.
  AttachmentCollector(Database& database, RunBy run_by);
  ~AttachmentCollector();

  // Looks at the attachments of each container, at most limits::attachments_judged_max of one.
  // Gives how many are gone; those of a container that is gone itself count as one. It ends early,
  // between two commits, where the server is overloaded or stops.
  std::size_t run_pass();

 private:
  Result<std::size_t> clean(const CollectionPtr& attachments);
  Result<std::size_t> clean(const CollectionPtr& attachments, const CollectionPtr& container);
  // Whether all have been removed, and the pass was not to end before.
  Result<bool> remove_all(const CollectionPtr& collection, std::span<const Attachment> attachments);
  bool must_end();
  void loop();

  Database& database_;
  std::mutex passes_;                       // one at a time; guards the next
  std::map<CollectionId, Bytes> go_on_at_;  // where the pass before has stopped
  std::mutex mutex_;
  std::condition_variable stops_;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace mayfly::cosmos
