// A database in this process with one collection: the document layer without HTTP.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "db/database.h"

namespace mayfly::bench {

struct Engine {
  // Opens the database in the directory, or creates it. The clock must outlive the engine. Every
  // member stops the program if it fails.
  Engine(const std::string& directory, const Clock& clock);

  // Writes documents of 300 bytes, with ids from `prefix``from` up to but without `prefix``to`. Not
  // synced.
  using LifetimeOf = std::function<LifetimeChange(std::uint64_t n)>;
  void fill(const std::string& prefix, std::uint64_t from, std::uint64_t to,
            const LifetimeOf& lifetime_of);
  // Removes these documents, to the trash if the collection keeps one.
  void remove(const std::string& prefix, std::uint64_t from, std::uint64_t to);
  // Compacts everything to the lowest level, so that no background work is left.
  void settle();
  void change(const CollectionChange& change);

  std::unique_ptr<Database> database;
  CollectionPtr collection;
};

// The time at which filled_data() is written: the machine's time at the first call, because servers
// open the data later by the machine's clock.
Instant filled_at();
// The first expiration in filled_data(), a week after filled_at().
Instant first_death();
// The directory of a closed database with this many documents that inherit their lifetime, and a
// tenth as many that expire one a second from first_death() on. Created at the first call. Open
// only copies of it.
std::string filled_data(const std::string& directory, std::uint64_t documents);

// Copies a closed database. Its tables are hard links, because they are never changed.
void copy_data(const std::string& from, const std::string& to);

}  // namespace mayfly::bench
