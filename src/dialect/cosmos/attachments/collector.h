// AttachmentCollector: erases attachments whose document has expired or been removed, and is not in
// the trash. No reader can see them; the collector frees their space. It works in passes of small
// commits, and each pass continues where the previous one stopped. So it may stop anywhere, and no
// answer depends on it (docs/decisions/0017).
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

  // Checks the attachments of each container, at most limits::attachments_judged_max of one.
  // Returns how many were erased; those of a dropped container count as one. It ends early, between
  // two commits, if the server is overloaded or `must_end` returns true. A failure in one container
  // is logged, and the pass goes on with the others.
  std::size_t run_pass(const std::function<bool()>& must_end = {});

 private:
  Result<std::size_t> clean(const PrivateTable<Attachment>& attachments, CollectionId container);
  Result<std::size_t> clean(const PrivateTable<Attachment>& attachments,
                            const CollectionPtr& container);
  // Whether all have been removed. False if the pass had to end before.
  Result<bool> remove_all(const PrivateTable<Attachment>& table,
                          std::span<const Attachment> attachments);
  bool must_end() const;

  Database& database_;
  std::mutex passes_;                        // one at a time; guards the next
  std::map<CollectionId, Bytes> resume_at_;  // where the previous pass stopped
  std::function<bool()> must_end_;           // of the running pass
};

}  // namespace mayfly::cosmos
