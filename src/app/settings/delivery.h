// What the settings say of delivery: which targets there are.
#pragma once

#include <memory>

#include "base/random.h"
#include "base/service/settings.h"
#include "db/database.h"
#include "delivery/deliveries.h"

namespace mayfly::app {

// The rows of `nats.…`.
Settings::Table nats_settings();

// Fails with invalid, naming the setting: a URL that is none, a subject that is none, a file that
// cannot be read, settings without `nats.url`.
Result<void> check_delivery(const Settings& settings);
// Of settings that check_delivery() has passed. The database and the random numbers outlive it.
std::unique_ptr<delivery::Deliveries> make_deliveries(const Settings& settings, Database& database,
                                                      Random& random);

}  // namespace mayfly::app
