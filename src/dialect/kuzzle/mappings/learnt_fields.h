// Fields that no mapping names and that documents have, with the types that Elasticsearch would
// give them. They are shown with the mapping; no value is held to their types. Only collections
// that were made here learn.
//
// A write that succeeds has its fields noted in memory, where mappings show them before it is
// answered. A job commits them to the facet of the collection, so no request waits for that commit.
// A crash loses what was not committed: the next document with such a field has it learnt again.
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

// The facet that keeps them, as a mapping.
inline constexpr std::string_view learnt_facet = "kuzzle.learnt";

// What was learnt and is not committed yet. Threads: any.
class LearntFields {
 public:
  explicit LearntFields(Database& database);
  // Commits what it has.
  ~LearntFields();

  // As the properties of a mapping; missing: nothing.
  Value of(CollectionId collection) const;
  // Not noted where too much waits already.
  void note(CollectionId collection, const Value& properties);
  // Commits what waits. Fails as the database does; what failed stays.
  Result<void> keep_all();

 private:
  struct Waiting {
    Value properties;
    std::size_t bytes = 0;
    std::uint64_t change = 0;  // a later one has added to it
  };
  std::map<CollectionId, Waiting> waiting() const;
  // Unless more was learnt meanwhile.
  void drop(CollectionId collection, std::uint64_t change);

  Database& database_;
  mutable std::mutex mutex_;  // guards all below, but for the job
  std::map<CollectionId, Waiting> waiting_;
  std::size_t bytes_ = 0;  // of all that waits
  std::uint64_t changes_ = 0;
  JobHandle job_;
};

// The mapping with what has been learnt; what clients have said of a field comes first.
Value whole_mapping_of(const Collection& collection, const LearntFields& learnt);

// What this body has that the collection does not know yet, as the properties of a mapping;
// missing: nothing. Fails with invalid where the collection would have too many fields.
Result<Value> unknown_fields(const Call& call, const Collection& collection, const Value& body);
// Notes them in the call: the document is written.
void note_unknown_fields(const Call& call, const Collection& collection, const Value& unknown);
// The request has succeeded: what was noted in the call is learnt.
void learn_fields(Call& call);

}  // namespace mayfly::kuzzle
