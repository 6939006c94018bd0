// Records in Realtime which request writes which documents, so that the notifications made from the
// feeds name the request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/realtime/realtime.h"

namespace mayfly::kuzzle {

// `action`: the name that notifications show; empty: the request's action.
realtime::NotificationOrigin origin_of(const KuzzleCall& call, std::string action = {});

// Whether the request sends no notifications: it says so, or it is a bulk write, which notifies
// only on request.
bool suppresses_notifications(const KuzzleCall& call);

// The fields that an update changes, for its notifications. Null if their names take more than
// `bytes_left`, the bytes that the notifications of one request may still take. Reduces
// `bytes_left`.
realtime::ChangedFieldsPtr updated_fields(const Value& changes, std::size_t& bytes_left);

// Announces the writes of one request. Threads: one at a time. Destruction without committed()
// means that nothing was written.
class Notifier {
 public:
  explicit Notifier(const KuzzleCall& call, std::string action = {})
      : call_(call), action_(action) {}

  // Announces writes of these documents. Called inside the transaction, each time it runs. Sends
  // notifications unless the request suppresses them.
  void writes(const std::vector<std::string>& ids,
              const realtime::ChangedFieldsPtr& updated_fields = {});
  // The same with other updated fields for each document.
  void begin_each(std::vector<realtime::Target> targets);
  // The same without notifications.
  void begin_silently(const std::vector<std::string>& ids);
  // Called after the transaction, with the instant of its commit.
  void committed(Instant at);

 private:
  const KuzzleCall& call_;
  const std::string action_;
  std::optional<realtime::Realtime::PendingWrite> writing_;
};

}  // namespace mayfly::kuzzle
