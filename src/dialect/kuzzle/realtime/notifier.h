// Who listens is told on whose behalf a document was written: what the feeds tell of the writes in
// between comes from this request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/realtime/realtime.h"

namespace mayfly::kuzzle {

realtime::Shape realtime_shape(Shape shape);
// `action`: as it is told; empty: the request's.
realtime::Origin origin_of(const Call& call, std::string action = {});

// Whether those who listen are not to be told: as the request asks, or as is the way of bulk
// writes, which tell only where they are asked to.
bool is_silent(const Call& call);

// The fields that an update changes, for its notifications. Null where their names take more than
// `bytes_left`, which is what the notifications of one request may still take; it goes down.
realtime::ChangedFieldsPtr updated_fields(const Value& changes, std::size_t& bytes_left);

// Threads: one at a time. Letting go of it without committed() means that nothing was written.
class Telling {
 public:
  explicit Telling(const Call& call, std::string action = {}) : call_(call), action_(action) {}

  // These are about to be written; inside the transaction, as often as it runs. Tells unless the
  // request is silent.
  void writes(const std::vector<std::string>& ids,
              const realtime::ChangedFieldsPtr& updated_fields = {});
  void writes_each(std::vector<realtime::Target> targets);
  // The same, and nobody shall be told.
  void writes_silently(const std::vector<std::string>& ids);
  void committed(Instant at);

 private:
  const Call& call_;
  const std::string action_;
  std::optional<realtime::Realtime::Writing> writing_;
};

}  // namespace mayfly::kuzzle
