// The memory storage: Kuzzle's controller `ms`, whose actions are commands of Redis
// (docs/decisions/0036).
#pragma once

#include <string_view>
#include <vector>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {
struct Route;
}

namespace mayfly::kuzzle::memory {

// The name in requests, rights and routes.
inline constexpr std::string_view controller = "ms";

// One route for each command.
std::vector<Route> routes();

// Removes every key. An empty storage is no error.
Result<void> flush(Database& database);

}  // namespace mayfly::kuzzle::memory
