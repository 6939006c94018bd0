// PublishedEnds: checks the events of the feed for ends that the sweeper recorded. Each end has
// exactly one event, no event is of an end that did not happen, and expirations are in the order of
// their effective times.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simulate/model.h"

namespace mayfly::simulate {

class PublishedEnds {
 public:
  // Reads what has been recorded since the last call. Returns what is wrong with it; empty:
  // nothing.
  std::string collect(Database& database, const Model& model, Instant now);
  // A crash has lost everything recorded later than this.
  void roll_back(Instant through);
  // The first end that should have been published by now and was not; empty: none. To be called
  // when everything has been swept.
  std::string missing(const CollectionModel& collection, Instant now) const;
  // How many events, of writers and of ends, must be on disk when everything has been compacted.
  std::size_t kept(const CollectionModel& collection, Instant now) const;
  // How many rows of queues the feed may be made of then.
  std::size_t kept_expirations(const CollectionModel& collection, Instant now) const;
  std::size_t total() const;

 private:
  struct End {
    Event event;
    Instant effective_at;
  };
  std::string add(const CollectionModel& collection, const Event& event, Instant now);
  std::map<CollectionId, std::vector<End>> ends_;
  std::map<CollectionId, Instant> collected_;
};

// Every event in the store, readable or not, in the order of its rows.
std::vector<Event> stored_events(Database& database, CollectionId collection, Instant after);

}  // namespace mayfly::simulate
