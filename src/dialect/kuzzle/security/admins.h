// Admins: whether there is an administrator, remembered between the changes of users.
#pragma once

#include <atomic>
#include <cstdint>

#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {

// Threads: any.
class Admins {
 public:
  Result<bool> exist(Database& database) {
    const std::uint64_t changes = changes_.load();
    if (known_at_.load() == changes) return true;
    const bool found = TRY(has_admin(database));
    if (found) known_at_ = changes;
    return found;
  }
  // Users may have changed; called behind the commit.
  void changed() { ++changes_; }

 private:
  std::atomic<std::uint64_t> changes_ = 1;
  std::atomic<std::uint64_t> known_at_ = 0;  // the changes after which there was one
};

}  // namespace mayfly::kuzzle
