// The events of records that are published to a broker, in the format of the page on record TTL. No
// client needs to subscribe.
#pragma once

#include "delivery/message.h"
#include "delivery/subscription.h"
#include "dialect/centrali/structures/directory.h"

namespace mayfly {
class Database;
}

namespace mayfly::centrali {

// {"event":"record.expired","timestamp":…,"workspace":…,"data":{"record":{"id":…,"structureId":…}}}
// `directory` and the database outlive it.
delivery::Format published_format(const Database& database, Directory& directory);

// The subjects of all these events.
inline constexpr std::string_view published_subjects = "centrali.*.records.*";
// All these events, on centrali.{workspace}.records.{event}.
delivery::Subscription published_events();

}  // namespace mayfly::centrali
