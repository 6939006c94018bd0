// The row by which the server knows the Centrali dialect.
#include "dialect/row.h"

#include "dialect/centrali/centrali.h"
#include "dialect/centrali/events/published.h"
#include "dialect/centrali/options.h"
#include "dialect/centrali/webhooks/webhooks.h"

namespace mayfly {

DialectRow centrali_dialect() {
  return {.name = "centrali",
          .title = "Centrali API",
          .guest_of = "native",
          .settings = centrali_settings(),
          .takes_keys = true,
          .closing_setting = "centrali.clients",
          .check = check_centrali_settings,
          .names_from_before = centrali::webhook_names_from_before(),
          .subjects = {centrali::published_subjects},
          .make = make_centrali};
}

}  // namespace mayfly
