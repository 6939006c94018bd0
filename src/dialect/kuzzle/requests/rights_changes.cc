// Which actions change rights: of all clients, or of the caller alone.
#include "dialect/kuzzle/requests/routes.h"

namespace mayfly::kuzzle {
namespace {

struct ChangingActions {
  std::string_view controller;
  std::string_view begin;  // of the actions' names
  RightsChange change;
};
constexpr ChangingActions changing_actions[] = {
    {"auth", "logout", RightsChange::own_token},
    {"auth", "refreshToken", RightsChange::own_token},
    {"auth", "deleteApiKey", RightsChange::rights},
    {"admin", "resetSecurity", RightsChange::rights},
    {"admin", "resetKuzzleData", RightsChange::in_steps},
    {"admin", "loadSecurities", RightsChange::rights},
    {"security", "create", RightsChange::rights},
    {"security", "update", RightsChange::rights},
    {"security", "replace", RightsChange::rights},
    {"security", "upsert", RightsChange::rights},
    {"security", "revoke", RightsChange::rights},
    {"security", "restrict", RightsChange::rights},
    {"security", "delete", RightsChange::rights},
    {"security", "mDelete", RightsChange::rights},
};

}  // namespace

RightsChange rights_change_of(const Route& route) {
  for (const ChangingActions& row : changing_actions) {
    if (route.controller == row.controller && route.action.starts_with(row.begin)) {
      return row.change;
    }
  }
  return RightsChange::none;
}

}  // namespace mayfly::kuzzle
