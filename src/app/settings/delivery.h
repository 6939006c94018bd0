// The settings of delivery: which targets exist.
#pragma once

#include <memory>

#include "base/random.h"
#include "base/service/settings.h"
#include "db/database.h"
#include "delivery/deliveries.h"

namespace mayfly::app {

// The rows of `nats.…`.
Settings::Table nats_settings();

// Fails with invalid, naming the setting, for a wrong URL or subject, a file that cannot be read,
// or other settings without `nats.url`.
Result<void> check_delivery(const Settings& settings);
// For settings that check_delivery() has accepted. The database and the random numbers outlive it.
std::unique_ptr<delivery::Deliveries> make_deliveries(const Settings& settings, Database& database,
                                                      Random& random);

}  // namespace mayfly::app
