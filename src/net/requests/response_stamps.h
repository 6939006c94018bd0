// What the server adds to every answer: the time, and the id of the request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "net/message.h"

namespace mayfly::net {

// Threads: any.
class ResponseStamps {
 public:
  // `clock` outlives it; null: the system's.
  explicit ResponseStamps(const Clock* clock);

  // Ensures that the request has a header `x-request-id` that is valid in an answer and a log: the
  // client's value, if it is valid, otherwise a new id. Returns that header's value.
  const std::string& assign_id(Request& request) const;
  // The present time in the format of the header `Date`. Valid until the next call on the same
  // thread.
  std::string_view date() const;

 private:
  const Clock* clock_;
  const std::uint64_t seed_;
};

}  // namespace mayfly::net
