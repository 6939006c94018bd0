// RequestedIndexes: indexes with which queries would have read less. They are made in the
// background, so that writes pay only for indexes that queries use. A request that is lost, because
// the process ends or because there are too many, comes again with the next such query
// (docs/decisions/0038-indexes-by-use.md). An index that fails repeatedly is given up until the
// collection's definition changes or the process ends.
#pragma once

#include <deque>
#include <mutex>
#include <string>

#include "db/database.h"
#include "db/jobs/jobs.h"

namespace mayfly {

// Threads: any. Private to db/; other layers call Database::request_index.
class RequestedIndexes {
 public:
  explicit RequestedIndexes(Database& database) : database_(database) {}

  void add_job(Jobs& jobs);
  // The job ends before the database does.
  void remove_job() const { job_.remove(); }
  // Does nothing if the index exists, if there is no room for another one, or if it has been given
  // up. Cheap.
  void add(const Collection& collection, IndexSpec spec);

 private:
  struct Request {
    CollectionId collection = 0;
    IndexSpec spec;
    std::size_t failures = 0;
  };
  struct GivenUp {
    CollectionId collection = 0;
    Instant changed_at;  // of the collection at that time
    std::string name;
    bool operator==(const GivenUp&) const = default;
  };

  Result<NextRun> run(const JobRun& run);
  bool take(Request& request);
  void put_back(Request request);
  Result<NextRun> try_later(Request request, const Collection& collection, const Error& error);
  void give_up(const Request& request, const Collection& collection, const Error& error);

  Database& database_;
  JobHandle job_;
  std::mutex mutex_;
  std::deque<Request> requests_;
  std::deque<GivenUp> given_up_;  // the latest ones
};

}  // namespace mayfly
