// Admins: caches whether there is an administrator, and what clients without a login may do,
// between changes of users, profiles and roles.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {

// Users, profiles and roles at one instant. All rights of one request are read from one such view.
struct RightsView {
  View view;
  // The number of changes that it has seen; nothing while a change is in progress: then cached
  // values do not apply.
  std::optional<std::uint64_t> changes;
};

// Threads: any.
class Admins {
 public:
  // A change of users, profiles or roles, from before its first commit until after its last.
  class RightsUpdate {
   public:
    explicit RightsUpdate(Admins& admins) : admins_(admins) { ++admins_.under_way_; }
    ~RightsUpdate() {
      admins_.changed();
      --admins_.under_way_;
    }
    RightsUpdate(const RightsUpdate&) = delete;
    RightsUpdate& operator=(const RightsUpdate&) = delete;

   private:
    Admins& admins_;
  };

  RightsView view(Database& database) const {
    const std::uint64_t before = changes_.load();
    View view = database.view();
    const bool is_still = under_way_.load() == 0 && changes_.load() == before;
    return {std::move(view), is_still ? std::optional(before) : std::nullopt};
  }

  // Whether there is an administrator. Reads nothing if nothing has changed since the last call,
  // and one user if the remembered administrator is still one.
  Result<bool> exist(RightsView& seen) {
    const std::uint64_t known = known_at_.load();
    if (seen.changes && known / 2 == *seen.changes) return known % 2 == 1;
    const std::lock_guard lock(mutex_);
    if (!TRY(is_admin(seen.view, id_))) id_ = TRY(find_admin(seen.view));
    const bool exists = !id_.empty();
    if (seen.changes) known_at_ = *seen.changes * 2 + (exists ? 1 : 0);
    return exists;
  }
  // Like named_anonymous_rights(); reads nothing if nothing has changed.
  Result<AnonymousRights> anonymous(RightsView& seen) {
    constexpr std::uint64_t kinds = 4;
    const std::uint64_t known = anonymous_at_.load();
    if (seen.changes && known / kinds == *seen.changes) {
      return static_cast<AnonymousRights>(known % kinds);
    }
    const AnonymousRights rights = TRY(named_anonymous_rights(seen.view));
    if (seen.changes) anonymous_at_ = *seen.changes * kinds + static_cast<std::uint64_t>(rights);
    return rights;
  }
  // Called after the commit when users, profiles or roles may have changed.
  void changed() { ++changes_; }

 private:
  std::atomic<std::uint64_t> changes_ = 1;
  std::atomic<std::uint64_t> under_way_ = 0;
  std::atomic<std::uint64_t> known_at_ =
      0;  // twice the number of changes, plus one if there was an administrator
  std::atomic<std::uint64_t> anonymous_at_ =
      0;  // four times the number of changes, plus the rights
  std::mutex mutex_;
  std::string id_;  // the last administrator found; empty if there was none
};

}  // namespace mayfly::kuzzle
