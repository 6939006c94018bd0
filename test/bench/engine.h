// A database in this process with one collection: the document layer without HTTP.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "db/database.h"

namespace mayfly::bench {

struct Engine {
  // Opens the database in the directory, or creates it. The clock outlives the engine.
  Engine(const std::string& directory, const Clock& clock);

  // Documents of 300 bytes, `prefix``from` up to but without `prefix``to`, with no sync.
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

// Data of a closed database: this many documents that inherit their lifetime, and a tenth as many
// that expire one a second from `first_death` on. Created once. Do not open it, but a copy of it.
Instant filled_at();  // the machine's time when this was first asked: a server takes the data
Instant first_death();
std::string filled_data(const std::string& directory, std::uint64_t documents);

// A copy of a database that is closed: its tables are linked, for nothing writes to them again.
void copy_data(const std::string& from, const std::string& to);

}  // namespace mayfly::bench
