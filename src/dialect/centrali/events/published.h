// What is published of the events of records, as the page on record TTL has it: to a broker,
// without a subscription that a client has made.
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

// Of all of them.
inline constexpr std::string_view published_subjects = "centrali.*.records.*";
// All of them, on centrali.{workspace}.records.{event}.
delivery::Subscription published_events();

}  // namespace mayfly::centrali
