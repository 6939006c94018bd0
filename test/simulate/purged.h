// Checks the records of purges: they form one unbroken chain, and together contain exactly the
// purges of the model, each once.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "db/purge/purge_log.h"
#include "simulate/model.h"

namespace mayfly::simulate {

class Purged {
 public:
  // Reads what has been recorded since the last call. Returns what is wrong with it; empty:
  // nothing. The model's expirations must have been flushed.
  std::string collect(Database& database, const Model& model, Instant now);
  // A crash has lost everything recorded later than this.
  void roll_back(Instant through);
  // The first purge that should have been recorded by now and was not; empty: none. To be called
  // when everything has been swept.
  std::string missing(const CollectionModel& collection, Instant now) const;
  // The numbers of the records that a reader sees at `now`, or should see.
  std::string kept(const CollectionModel& collection, Instant now) const;
  std::size_t total() const;

 private:
  struct Recorded {
    PurgeRecord record;
    Instant at;
    std::vector<std::string> texts;
  };
  struct Log {
    std::vector<Recorded> records;
    std::set<std::string> texts;
  };
  std::string add(const CollectionModel& collection, const PurgeRecord& record, Instant now);
  std::map<CollectionId, Log> logs_;
};

// The numbers that the product shows.
std::string shown_purges(Database& database, CollectionId collection, std::size_t page_max);

}  // namespace mayfly::simulate
