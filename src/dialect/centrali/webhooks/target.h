// Webhooks as a target of the delivery engine: the format of the messages, and how they are sent.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "delivery/rows/log.h"
#include "delivery/target.h"
#include "delivery/webhooks/target.h"
#include "dialect/centrali/structures/directory.h"

namespace mayfly {
class Database;
}

namespace mayfly::centrali {

using SendCall = delivery::SendCall;

// REACHES DISK, in subscriptions.
inline constexpr std::string_view webhook_target_name = "centrali.webhook";
inline constexpr std::string_view webhook_format_name = "centrali.webhook";

// Calls are signed by the secret, and for a day after a rotation by the previous one, too. Each
// failed attempt counts; there are at most ten, in some three days.
std::unique_ptr<delivery::Target> webhook_target(SendCall send);
// The format: the notices of a commit (events/notice.h). Both arguments outlive it.
delivery::Format webhook_format(Database& database, Directory& directory);

// The id of a delivery, which receivers see; and the key of the log row that an id names, if it is
// well-formed.
std::string delivery_id(const std::string& subscription, const std::string& message);
std::optional<DocumentKey> key_of_delivery(std::string_view id);

}  // namespace mayfly::centrali
