// Admins: whether there is an administrator, and what clients without a login may do, remembered
// between the changes of users, profiles and roles.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "dialect/kuzzle/security/rights.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {

// Threads: any.
class Admins {
 public:
  // Reads nothing where users have not changed since it was last asked, and one of them where they
  // have and the administrator that it remembers is still one.
  Result<bool> exist(Database& database) {
    const std::uint64_t changes = changes_.load();
    const std::uint64_t known = known_at_.load();
    if (known / 2 == changes) return known % 2 == 1;
    const std::lock_guard lock(mutex_);
    if (!TRY(is_admin(database, id_))) id_ = TRY(find_admin(database));
    const bool exists = !id_.empty();
    known_at_ = changes * 2 + (exists ? 1 : 0);
    return exists;
  }
  // As named_anonymous_rights(); likewise reads nothing where nothing has changed.
  Result<AnonymousRights> anonymous(Database& database) {
    constexpr std::uint64_t kinds = 4;
    const std::uint64_t changes = changes_.load();
    const std::uint64_t known = anonymous_at_.load();
    if (known / kinds == changes) return static_cast<AnonymousRights>(known % kinds);
    const AnonymousRights rights = TRY(named_anonymous_rights(database));
    anonymous_at_ = changes * kinds + static_cast<std::uint64_t>(rights);
    return rights;
  }
  // Users, profiles or roles may have changed; called behind the commit.
  void changed() { ++changes_; }

 private:
  std::atomic<std::uint64_t> changes_ = 1;
  std::atomic<std::uint64_t> known_at_ = 0;      // twice the changes, and one if there was one
  std::atomic<std::uint64_t> anonymous_at_ = 0;  // four times the changes, and the rights
  std::mutex mutex_;
  std::string id_;  // the administrator that was seen last; empty where there was none
};

}  // namespace mayfly::kuzzle
