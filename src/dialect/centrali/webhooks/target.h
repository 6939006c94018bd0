// Webhooks as a target of the delivery engine: what is made of the events, and how it is sent.
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

// REACHES DISK: subscriptions have them.
inline constexpr std::string_view webhook_target_name = "centrali.webhook";
inline constexpr std::string_view webhook_format_name = "centrali.webhook";

// Signed by the secret, and for a day after a rotation by the one before it, too. Each attempt that
// is not taken counts; ten follow one another for three days.
std::unique_ptr<delivery::Target> webhook_target(SendCall send);
// The notices of a commit (events/notice.h). Both outlive it.
delivery::Format webhook_format(Database& database, Directory& directory);

// The id of a delivery, which receivers see; and the row of the log that it names, where it may be
// one.
std::string delivery_id(const std::string& subscription, const std::string& message);
std::optional<DocumentKey> key_of_delivery(std::string_view id);

}  // namespace mayfly::centrali
