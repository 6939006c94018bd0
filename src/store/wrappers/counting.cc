#include "store/wrappers/counting.h"

namespace mayfly::store {

Counts CountingStore::counts() const {
  return {.reads = reads_,
          .gets = gets_,
          .scans = scans_,
          .rows = rows_,
          .snapshots = snapshots_,
          .commits = commits_,
          .syncs = syncs_};
}

void CountingStore::reset() {
  for (auto* count : {&reads_, &gets_, &scans_, &rows_, &snapshots_, &commits_, &syncs_}) {
    count->store(0);
  }
}

Result<ReadReply> CountingStore::read(const ReadBatch& batch, const Snapshot* snapshot) {
  ++reads_;
  gets_ += batch.gets.size();
  scans_ += batch.scans.size();
  auto reply = inner().read(batch, snapshot);
  if (reply) {
    for (const Page& page : reply->scans) rows_ += page.rows.size();
  }
  return reply;
}

Result<Version> CountingStore::get(BytesView key, Bytes& value, const Snapshot* snapshot) {
  ++reads_;
  ++gets_;
  return inner().get(key, value, snapshot);
}

SnapshotPtr CountingStore::snapshot() {
  ++snapshots_;
  return inner().snapshot();
}

Result<void> CountingStore::commit(const CommitBatch& batch) {
  ++commits_;
  return inner().commit(batch);
}

void CountingStore::sync(Version version) {
  ++syncs_;
  inner().sync(version);
}

}  // namespace mayfly::store
