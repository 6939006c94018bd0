#include "dialect/cosmos/attachments/collector.h"

#include "base/service/logging.h"
#include "db/jobs/jobs.h"
#include "dialect/cosmos/attachments/attachment.h"
#include "dialect/cosmos/limits.h"

namespace mayfly::cosmos {
namespace {

// Whether no reader will ever see the document of that life again. A document in the trash may be
// restored; under a hold also if the container keeps no trash (any more). While the trash has any
// document of the same key, the one of that life may be behind it.
Result<bool> has_ended(const Collection& container, const Life& life, View& view) {
  if (TRY(is_alive(container, life, view))) return false;
  return !TRY(view.get_removed(container, life.document)).has_value();
}

Result<std::vector<Attachment>> ended_lives(std::vector<Attachment> attachments,
                                            const Collection& container, View& view) {
  std::vector<Attachment> over;
  const Life* judged = nullptr;  // attachments of one life are adjacent
  bool is_last_over = false;
  for (const Attachment& one : attachments) {
    if (judged == nullptr || *judged != one.life) {
      is_last_over = TRY(has_ended(container, one.life, view));
    }
    judged = &one.life;
    if (is_last_over) over.push_back(one);
  }
  return over;
}

// The number of attachments whose media together is within the bound of one, because a commit reads
// what it removes.
std::size_t one_commit(std::span<const Attachment> attachments) {
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (const Attachment& one : attachments) {
    bytes += one.media_bytes.value_or(0);
    if (count > 0 && bytes > limits::media_bytes_max) break;
    ++count;
  }
  return count;
}

}  // namespace

bool AttachmentCollector::must_end() const {
  return database_.jobs().gives_way() || (must_end_ && must_end_());
}

// After a failure in one collection, the pass continues with the others.
std::size_t AttachmentCollector::run_pass(const std::function<bool()>& must_end_now) {
  const std::lock_guard lock(passes_);
  must_end_ = must_end_now;
  std::size_t gone = 0;
  const CatalogPtr catalog = database_.catalog();
  for (const auto& [id, collection] : catalog->all_collections()) {
    if (must_end()) break;
    const auto container = container_of_attachments(*collection);
    if (!container) continue;
    const auto cleaned = clean(Attachments(collection), *container);
    if (!cleaned) {
      log(LogLevel::warn, "attachments of expired or removed documents could not be removed",
          {{"collection", collection->name}, {"error", cleaned.error().message}});
      continue;
    }
    gone += *cleaned;
  }
  return gone;
}

Result<std::size_t> AttachmentCollector::clean(const PrivateTable<Attachment>& attachments,
                                               CollectionId container) {
  if (const auto found = database_.catalog()->collection(container)) {
    return clean(attachments, found);
  }
  resume_at_.erase(attachments.collection()->id);
  TRY(drop_attachments(database_, attachments));
  return 1;
}

Result<std::size_t> AttachmentCollector::clean(const PrivateTable<Attachment>& attachments,
                                               const CollectionPtr& container) {
  Bytes& from = resume_at_[attachments.collection()->id];
  std::size_t gone = 0;
  for (std::size_t judged = 0; judged < limits::attachments_judged_max;) {
    if (must_end()) return gone;
    std::vector<Attachment> over;
    Bytes next;
    {
      View view = TRY(database_.up_to_date_view(container->id));
      const CollectionPtr current = view.catalog().collection(container->id);
      if (!current) return gone;
      Attachments::Page page =
          TRY(scan_attachments(attachments, from, limits::attachments_judged_at_once, view));
      next = page.next.value_or(Bytes());
      judged += limits::attachments_judged_at_once;
      over = TRY(ended_lives(std::move(page.rows), *current, view));
    }
    const auto is_done = remove_all(attachments, over);
    if (is_done && !*is_done) return gone;  // the next pass visits these again
    from = std::move(next);
    TRY(is_done);
    gone += over.size();
    if (from.empty()) break;
  }
  return gone;
}

Result<bool> AttachmentCollector::remove_all(const PrivateTable<Attachment>& table,
                                             std::span<const Attachment> attachments) {
  while (!attachments.empty()) {
    if (must_end()) return false;
    const auto batch = attachments.first(one_commit(attachments));
    attachments = attachments.subspan(batch.size());
    TRY(database_.transact([&](Transaction& transaction) -> Result<void> {
      for (const Attachment& one : batch) {
        TRY(remove_attachment(transaction, table, one, {}));
      }
      return {};
    }));
  }
  return true;
}

}  // namespace mayfly::cosmos
