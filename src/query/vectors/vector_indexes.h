// VectorIndexes: which documents have vectors near another one. An index is a graph in memory,
// which a job of the database builds and updates. It is lost with the process and built again. It
// only proposes candidates: the documents that it holds to be near, and all that were written since
// it was updated. Visibility and distances are then computed from the documents themselves. So no
// result contains a wrong document or distance, even if the index is late or holds expired
// documents. But a search in the graph may miss one of the nearest (graph.h).
//
// Threads: any. The database outlives it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "db/database.h"
#include "db/jobs/jobs.h"
#include "expr/evaluation/meter.h"
#include "query/vectors/graph.h"
#include "query/vectors/limits.h"

namespace mayfly::query {

// The vectors of the living documents of a collection.
struct VectorField {
  CollectionId collection = 0;
  Path path;
  VectorMetric metric = VectorMetric::cosine;
  std::size_t dimensions = 0;
  bool operator==(const VectorField&) const = default;
};

class VectorIndexes {
 public:
  explicit VectorIndexes(Database& database,
                         std::size_t bytes_max = limits::vector_indexes_bytes_max);
  ~VectorIndexes();
  VectorIndexes(const VectorIndexes&) = delete;
  VectorIndexes& operator=(const VectorIndexes&) = delete;

  // The keys of documents near `vector`, in the order of the keys: with high probability the
  // `count` nearest are among them. If documents without a distance come first (euclidean), these
  // are included. Some of the documents may have expired. Empty if the index cannot answer: it is
  // not built, too much was written since it was updated, the view is older than it, it does not
  // fit into memory, or the request exceeds a bound (limits.h). Then the caller reads all
  // documents, and the job is woken if it can help. Fails as the query of recent writes does.
  Result<std::optional<std::vector<DocumentKey>>> candidates(const VectorField& field,
                                                             const std::vector<float>& vector,
                                                             std::size_t count, View& view,
                                                             const Meter& meter);
  // Reports that too few candidates were visible: the job then removes expired documents from the
  // index.
  void report_expired(const VectorField& field);

 private:
  struct VectorIndex;
  using VectorIndexPtr = std::shared_ptr<VectorIndex>;
  VectorIndexPtr find(const VectorField& field);
  Result<NextRun> run(const JobRun& run);
  Result<bool> advance(VectorIndex& index, const JobRun& run);
  static bool make_room(VectorIndex& index);
  Result<bool> build(VectorIndex& index, const CollectionPtr& collection, View& view);
  Result<bool> catch_up(VectorIndex& index, const CollectionPtr& collection, View& view);
  static Result<void> remove_missing(VectorIndex& index, const Collection& collection, View& view,
                                     std::span<const Bytes> keys);
  Result<bool> remove_expired(VectorIndex& index, const CollectionPtr& collection, View& view);
  std::size_t bytes();

  Database& database_;
  const std::size_t bytes_max_;
  std::mutex mutex_;  // guards the list
  std::vector<VectorIndexPtr> list_;
  JobHandle job_;
};

}  // namespace mayfly::query
