#include "dialect/cosmos/requests/routes.h"

#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/documents/writes/patch.h"

namespace mayfly::cosmos {
namespace {
namespace rows {

using R = ResourceKind;
using F = Form;
constexpr bool feed = true;
constexpr bool item = false;
constexpr net::Pace quick = net::Pace::quick;
constexpr net::Pace pooled = net::Pace::worker;
using enum RouteEffect;
using enum TokenCheck;

// clang-format off: one row a line
constexpr Route table[] = {
    {"GET", R::account, item, F::plain, pooled, read, read_account},

    {"POST", R::database, feed, F::plain, pooled, admin, create_database},
    {"GET", R::database, feed, F::plain, pooled, read, list_databases},
    {"POST", R::database, feed, F::query, pooled, read, query_databases},
    {"GET", R::database, item, F::plain, quick, read, read_database},
    {"DELETE", R::database, item, F::plain, pooled, admin, drop_database},

    {"POST", R::container, feed, F::plain, pooled, admin, create_container},
    {"GET", R::container, feed, F::plain, pooled, read, list_containers},
    {"POST", R::container, feed, F::query, pooled, read, query_containers},
    {"GET", R::container, item, F::plain, pooled, read, read_container},
    {"PUT", R::container, item, F::plain, pooled, admin, replace_container},
    {"DELETE", R::container, item, F::plain, pooled, admin, drop_container},
    {"POST", R::container, item, F::removal, pooled, write, remove_partition, by_key},
    {"GET", R::partition_range, feed, F::plain, quick, read, list_partition_ranges},

    {"POST", R::document, feed, F::plain, quick, write, create_document, by_key},
    {"GET", R::document, feed, F::plain, pooled, read, list_documents, by_key},
    {"GET", R::document, item, F::plain, quick, read, read_document, by_key},
    {"GET", R::document, feed, F::changes, pooled, read, read_change_feed, by_key},
    {"POST", R::document, feed, F::query, pooled, read, query_documents, by_key},
    {"POST", R::document, feed, F::plan, pooled, read, plan_query, by_action},
    {"POST", R::document, feed, F::batch, pooled, write, run_batch, by_key},
    {"POST", R::document, feed, F::bulk, pooled, write, run_batch, by_action},
    {"PATCH", R::document, item, F::plain, quick, write, patch_document, by_key,
     may_hold_condition},
    {"PUT", R::document, item, F::plain, quick, write, replace_document, by_key},
    {"DELETE", R::document, item, F::plain, quick, write, remove_document, by_key},

    {"POST", R::attachment, feed, F::plain, pooled, write, create_attachment, by_key},
    {"GET", R::attachment, feed, F::plain, pooled, read, list_attachments, by_key},
    {"POST", R::attachment, feed, F::query, pooled, read, query_attachments, by_key},
    {"GET", R::attachment, item, F::plain, pooled, read, read_attachment, by_key},
    {"PUT", R::attachment, item, F::plain, pooled, write, replace_attachment, by_key},
    {"DELETE", R::attachment, item, F::plain, pooled, write, remove_attachment, by_key},
    {"GET", R::media, item, F::plain, pooled, read, read_media},
    {"PUT", R::media, item, F::plain, pooled, write, replace_media},

    {"GET", R::offer, feed, F::plain, pooled, read, list_offers},
    {"POST", R::offer, feed, F::query, pooled, read, query_offers},
    {"GET", R::offer, item, F::plain, pooled, read, read_offer},
    {"PUT", R::offer, item, F::plain, pooled, admin, replace_offer},
    {"GET", R::conflict, feed, F::plain, quick, read, list_conflicts},
    {"POST", R::conflict, feed, F::query, quick, read, list_conflicts},
    {"GET", R::conflict, item, F::plain, quick, read, find_no_conflict},
    {"DELETE", R::conflict, item, F::plain, quick, write, find_no_conflict},

    {"POST", R::user, feed, F::plain, pooled, admin, create_stored, refused},
    {"GET", R::user, feed, F::plain, pooled, read, list_stored, refused},
    {"POST", R::user, feed, F::query, pooled, read, query_stored, refused},
    {"GET", R::user, item, F::plain, pooled, read, read_stored, refused},
    {"PUT", R::user, item, F::plain, pooled, admin, replace_stored, refused},
    {"DELETE", R::user, item, F::plain, pooled, admin, remove_stored, refused},

    {"POST", R::client_encryption_key, feed, F::plain, pooled, write, create_stored},
    {"GET", R::client_encryption_key, feed, F::plain, pooled, read, list_stored},
    {"POST", R::client_encryption_key, feed, F::query, pooled, read, query_stored},
    {"GET", R::client_encryption_key, item, F::plain, pooled, read, read_stored},
    {"PUT", R::client_encryption_key, item, F::plain, pooled, write, replace_stored},

    // Each answer issues a token with the rights of the permission.
    {"POST", R::permission, feed, F::plain, pooled, admin, create_stored, refused},
    {"GET", R::permission, feed, F::plain, pooled, admin, list_stored, refused},
    {"POST", R::permission, feed, F::query, pooled, admin, query_stored, refused},
    {"GET", R::permission, item, F::plain, pooled, admin, read_stored, refused},
    {"PUT", R::permission, item, F::plain, pooled, admin, replace_stored, refused},
    {"DELETE", R::permission, item, F::plain, pooled, admin, remove_stored, refused},

    {"POST", R::stored_procedure, feed, F::plain, pooled, write, create_stored},
    {"GET", R::stored_procedure, feed, F::plain, pooled, read, list_stored},
    {"POST", R::stored_procedure, feed, F::query, pooled, read, query_stored},
    {"GET", R::stored_procedure, item, F::plain, pooled, read, read_stored},
    {"POST", R::stored_procedure, item, F::plain, pooled, write, execute_procedure, by_key},
    {"PUT", R::stored_procedure, item, F::plain, pooled, write, replace_stored},
    {"DELETE", R::stored_procedure, item, F::plain, pooled, write, remove_stored},

    {"POST", R::trigger, feed, F::plain, pooled, write, create_stored},
    {"GET", R::trigger, feed, F::plain, pooled, read, list_stored},
    {"POST", R::trigger, feed, F::query, pooled, read, query_stored},
    {"GET", R::trigger, item, F::plain, pooled, read, read_stored},
    {"PUT", R::trigger, item, F::plain, pooled, write, replace_stored},
    {"DELETE", R::trigger, item, F::plain, pooled, write, remove_stored},

    {"POST", R::user_function, feed, F::plain, pooled, write, create_stored},
    {"GET", R::user_function, feed, F::plain, pooled, read, list_stored},
    {"POST", R::user_function, feed, F::query, pooled, read, query_stored},
    {"GET", R::user_function, item, F::plain, pooled, read, read_stored},
    {"PUT", R::user_function, item, F::plain, pooled, write, replace_stored},
    {"DELETE", R::user_function, item, F::plain, pooled, write, remove_stored},
};
// clang-format on

}  // namespace rows
}  // namespace

std::span<const Route> routes() {
  return rows::table;
}

Form form_of(const CosmosCall& call) {
  if (call.address.is_partition_removal) return Form::removal;
  if (call.is_plan_request()) return Form::plan;
  if (call.has_flag("x-ms-cosmos-is-batch-request")) {
    return call.has_flag("x-ms-cosmos-batch-atomic") ? Form::batch : Form::bulk;
  }
  const bool is_get = call.request.method == "GET";
  if (is_get && call.address.kind == ResourceKind::document && is_change_feed(call)) {
    return Form::changes;
  }
  const bool may_be_query = call.request.method == "POST" && call.address.is_feed;
  return may_be_query && call.is_query() ? Form::query : Form::plain;
}

const Route* find_route(std::string_view method, const Address& address, Form form,
                        bool& is_known) {
  is_known = false;
  const std::string_view asked = method == "HEAD" ? "GET" : method;
  for (const Route& route : rows::table) {
    if (route.kind != address.kind || route.is_feed != address.is_feed || route.form != form)
      continue;
    is_known = true;
    if (route.method == asked) return &route;
  }
  return nullptr;
}

}  // namespace mayfly::cosmos
