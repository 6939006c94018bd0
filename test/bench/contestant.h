// A database server as a client uses it: the operations that are measured for Mayfly and its peers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"

namespace mayfly::bench {

// One connection, used by one thread.
class Session {
 public:
  virtual ~Session() = default;
  // Whether the document exists.
  virtual bool read(const std::string& id) = 0;
  // A new document that lives for a day, as durable as the server makes it.
  virtual void write(const std::string& id, const std::string& json) = 0;
};

class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual std::string name() const = 0;
  // Writes documents in bulk, with ids from `prefix``from` up to but without `prefix``to`. They
  // expire at `death`; with Instant::never(), never.
  virtual void fill(const std::string& prefix, std::uint64_t from, std::uint64_t to,
                    Instant death) = 0;
  // Called once after filling and before connect(): finishes background work, starts the server.
  virtual void settle() {}
  virtual std::unique_ptr<Session> connect() = 0;
  // The cleanup that the server's users must do once documents have expired; called at the instant
  // of expiration.
  virtual void purge() {}
  // Writes everything to its final place, once no client is connected any more: compaction, vacuum,
  // checkpoint. Called twice in a row: the second call measures the cost without expired documents.
  virtual void compact() {}
  virtual double resident_mib() const = 0;   // of the server while it runs
  virtual double bytes_written() const = 0;  // by the server so far
};

// Mayfly on a fresh directory. `is_told`: with a durable event for each expiration. `flags`:
// further flags of the server.
std::unique_ptr<Contestant> make_mayfly(const std::string& directory, bool is_told,
                                        std::vector<std::string> flags = {});

}  // namespace mayfly::bench
