// What becomes of attachments whose document is no more: nobody can see them, and this gives back
// the space that they take. It works in passes, each of which goes on where the one before has
// stopped, in small commits; so it may stop anywhere, and no answer depends on it
// (docs/decisions/0017).
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <span>

#include "db/private_table.h"

namespace mayfly::cosmos {

struct Attachment;

// Threads: any.
class AttachmentCollector {
 public:
  explicit AttachmentCollector(Database& database) : database_(database) {}

  // Looks at the attachments of each container, at most limits::attachments_judged_max of one.
  // Gives how many are gone; those of a container that is gone itself count as one. It ends early,
  // between two commits, where the server is overloaded or `must_end` (none: never).
  std::size_t run_pass(const std::function<bool()>& must_end = {});

 private:
  Result<std::size_t> clean(const PrivateTable<Attachment>& attachments, CollectionId container);
  Result<std::size_t> clean(const PrivateTable<Attachment>& attachments,
                            const CollectionPtr& container);
  // Whether all have been removed, and the pass was not to end before.
  Result<bool> remove_all(const PrivateTable<Attachment>& table,
                          std::span<const Attachment> attachments);
  bool must_end() const;

  Database& database_;
  std::mutex passes_;                       // one at a time; guards the next
  std::map<CollectionId, Bytes> go_on_at_;  // where the pass before has stopped
  std::function<bool()> must_end_;          // of the pass under way
};

}  // namespace mayfly::cosmos
