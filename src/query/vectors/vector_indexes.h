// VectorIndexes: which documents have vectors near another one. An index is a graph in memory,
// which a job of the database builds and brings up to date; it is lost with the process and built
// again. It only proposes: candidates are the documents that it holds to be near, and all that were
// written since it was brought up to date. Visibility and distances are asked of the documents
// themselves, so it may be late and hold expired documents, and no answer shows it.
//
// Threads: any.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
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

  // Documents among which the `count` nearest are, and those that have no distance where they come
  // before (euclidean); in the order of their keys. Nothing where that cannot be said: the index is
  // not built, too much was written since, the view is from before it, or there is no memory for
  // it. Then all documents are to be asked; where it is worth it, the job is woken.
  Result<std::optional<std::vector<DocumentKey>>> candidates(const VectorField& field,
                                                             const std::vector<float>& vector,
                                                             std::size_t count, View& view,
                                                             const Meter& meter);
  // Of the candidates fewer were shown than were asked for: expired documents are to be taken out.
  void lacks_living(const VectorField& field);

 private:
  struct Built;
  using BuiltPtr = std::shared_ptr<Built>;
  BuiltPtr find(const VectorField& field);
  Result<NextRun> run(const JobRun& run);
  Result<bool> advance(Built& built, const JobRun& run);
  static bool make_room(Built& built);
  Result<bool> build(Built& built, const CollectionPtr& collection, View& view);
  Result<bool> catch_up(Built& built, const CollectionPtr& collection, View& view);
  Result<bool> take_out_expired(Built& built, const CollectionPtr& collection, View& view);
  std::size_t bytes();

  Database& database_;
  const std::size_t bytes_max_;
  std::mutex mutex_;  // guards the list
  std::vector<BuiltPtr> list_;
  JobHandle job_;
};

}  // namespace mayfly::query
