// What every answer carries beside what its handler says: the time, and the name of the request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "net/message.h"

namespace mayfly::net {

// Threads: any.
class Marks {
 public:
  // `clock` outlives it; null: the machine's.
  explicit Marks(const Clock* clock);

  // Sees to it that the request has a header `x-request-id` that can stand in an answer and a log:
  // what the client says, if it can, else a name of our own. Returns that header's value.
  const std::string& name(Request& request) const;
  // The instant as `Date` has it.
  std::string_view date() const;

 private:
  const Clock* clock_;
  const std::uint64_t seed_;
};

}  // namespace mayfly::net
