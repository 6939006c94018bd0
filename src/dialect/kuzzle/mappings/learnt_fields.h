// Learnt fields: fields that documents have but no mapping names, with the types that Elasticsearch
// would give them. They are shown in the mapping, but values are not checked against their types.
// Only collections created here learn fields.
//
// A successful write first records its fields in memory, where mappings show them before the write
// is answered. A job commits them to the collection's facet, so no request waits for that commit. A
// crash loses what was not committed; the next document with such a field adds it again.
//
// A document that would give its collection more than limits::mapping_fields_max fields is refused,
// as Elasticsearch does by `index.mapping.total_fields.limit`.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include "db/database.h"
#include "db/jobs/jobs.h"
#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

// The facet with the learnt fields, as a mapping.
inline constexpr std::string_view learnt_facet = "kuzzle.learnt";

// Learnt fields that are not committed yet. Threads: any.
class LearntFields {
 public:
  explicit LearntFields(Database& database);
  // Commits the rest.
  ~LearntFields();

  // The fields as the properties of a mapping; missing if there are none.
  Value of(CollectionId collection) const;
  // Ignores the fields if too much is uncommitted already.
  void record(CollectionId collection, const Value& properties);
  // Commits everything. Fails as the database does; fields that were not committed stay.
  Result<void> commit_all();

 private:
  struct Waiting {
    Value properties;
    std::size_t bytes = 0;
    std::uint64_t change = 0;  // the number of the last addition
  };
  std::map<CollectionId, Waiting> waiting() const;
  // Does nothing if fields were added after that change.
  void drop(CollectionId collection, std::uint64_t change);

  Database& database_;
  mutable std::mutex mutex_;  // guards the members below, except the job
  std::map<CollectionId, Waiting> waiting_;
  std::size_t bytes_ = 0;  // of all uncommitted fields
  std::uint64_t changes_ = 0;
  JobHandle job_;
};

// The mapping with the learnt fields; what clients have set for a field takes precedence.
Value whole_mapping_of(const Collection& collection, const LearntFields& learnt);

// The fields of this body that the collection does not have yet, as the properties of a mapping;
// missing if there are none, and also if the collection learns no more: it was not created here,
// its facet is too long, or the request has recorded fields of limits::learnt_documents_max
// documents. Fails with invalid if the collection would have too many fields.
Result<Value> unknown_fields(const KuzzleCall& call, const Collection& collection,
                             const Value& body);
// Records them in the call, for a document that is being written.
void record_unknown_fields(const KuzzleCall& call, const Collection& collection,
                           const Value& unknown);
// Called when the request has succeeded: adds the fields recorded in the call to LearntFields.
void add_learnt_fields(KuzzleCall& call);

}  // namespace mayfly::kuzzle
