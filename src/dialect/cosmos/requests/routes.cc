#include "dialect/cosmos/requests/routes.h"

#include "dialect/cosmos/actions.h"

namespace mayfly::cosmos {
namespace {

using R = ResourceKind;
constexpr bool feed = true;
constexpr bool item = false;
constexpr bool quick = true;
constexpr bool slow = false;
constexpr bool writes = true;
constexpr bool reads = false;

constexpr Route route_table[] = {
    {"GET", R::account, item, Form::plain, read_account, slow, reads},

    {"POST", R::database, feed, Form::plain, create_database, slow, writes},
    {"GET", R::database, feed, Form::plain, list_databases, slow, reads},
    {"POST", R::database, feed, Form::query, query_databases, slow, reads},
    {"GET", R::database, item, Form::plain, read_database, quick, reads},
    {"DELETE", R::database, item, Form::plain, drop_database, slow, writes},

    {"POST", R::container, feed, Form::plain, create_container, slow, writes},
    {"GET", R::container, feed, Form::plain, list_containers, slow, reads},
    {"POST", R::container, feed, Form::query, query_containers, slow, reads},
    {"GET", R::container, item, Form::plain, read_container, slow, reads},
    {"PUT", R::container, item, Form::plain, replace_container, slow, writes},
    {"DELETE", R::container, item, Form::plain, drop_container, slow, writes},
    {"POST", R::container, item, Form::removal, remove_partition, slow, writes},
    {"GET", R::partition_range, feed, Form::plain, list_partition_ranges, quick, reads},

    {"POST", R::document, feed, Form::plain, create_document, quick, writes},
    {"GET", R::document, feed, Form::plain, list_documents, slow, reads},
    {"GET", R::document, item, Form::plain, read_document, quick, reads},
    {"GET", R::document, feed, Form::changes, read_change_feed, slow, reads},
    {"POST", R::document, feed, Form::query, query_documents, slow, reads},
    {"POST", R::document, feed, Form::plan, plan_query, slow, reads},
    {"POST", R::document, feed, Form::batch, run_batch, slow, writes},
    {"PATCH", R::document, item, Form::plain, patch_document, quick, writes},
    {"PUT", R::document, item, Form::plain, replace_document, quick, writes},
    {"DELETE", R::document, item, Form::plain, remove_document, quick, writes},

    {"POST", R::attachment, feed, Form::plain, create_attachment, slow, writes},
    {"GET", R::attachment, feed, Form::plain, list_attachments, slow, reads},
    {"POST", R::attachment, feed, Form::query, query_attachments, slow, reads},
    {"GET", R::attachment, item, Form::plain, read_attachment, slow, reads},
    {"PUT", R::attachment, item, Form::plain, replace_attachment, slow, writes},
    {"DELETE", R::attachment, item, Form::plain, remove_attachment, slow, writes},
    {"GET", R::media, item, Form::plain, read_media, slow, reads},
    {"PUT", R::media, item, Form::plain, replace_media, slow, writes},

    {"GET", R::offer, feed, Form::plain, list_offers, slow, reads},
    {"POST", R::offer, feed, Form::query, query_offers, slow, reads},
    {"GET", R::offer, item, Form::plain, read_offer, slow, reads},
    {"PUT", R::offer, item, Form::plain, replace_offer, slow, writes},
    {"GET", R::conflict, feed, Form::plain, list_conflicts, quick, reads},
    {"POST", R::conflict, feed, Form::query, list_conflicts, quick, reads},
    {"GET", R::conflict, item, Form::plain, find_no_conflict, quick, reads},
    {"DELETE", R::conflict, item, Form::plain, find_no_conflict, quick, writes},

    {"POST", R::user, feed, Form::plain, create_stored, slow, writes},
    {"GET", R::user, feed, Form::plain, list_stored, slow, reads},
    {"POST", R::user, feed, Form::query, query_stored, slow, reads},
    {"GET", R::user, item, Form::plain, read_stored, slow, reads},
    {"PUT", R::user, item, Form::plain, replace_stored, slow, writes},
    {"DELETE", R::user, item, Form::plain, remove_stored, slow, writes},

    {"POST", R::client_encryption_key, feed, Form::plain, create_stored, slow, writes},
    {"GET", R::client_encryption_key, feed, Form::plain, list_stored, slow, reads},
    {"POST", R::client_encryption_key, feed, Form::query, query_stored, slow, reads},
    {"GET", R::client_encryption_key, item, Form::plain, read_stored, slow, reads},
    {"PUT", R::client_encryption_key, item, Form::plain, replace_stored, slow, writes},

    {"POST", R::permission, feed, Form::plain, create_stored, slow, writes},
    {"GET", R::permission, feed, Form::plain, list_stored, slow, reads},
    {"POST", R::permission, feed, Form::query, query_stored, slow, reads},
    {"GET", R::permission, item, Form::plain, read_stored, slow, reads},
    {"PUT", R::permission, item, Form::plain, replace_stored, slow, writes},
    {"DELETE", R::permission, item, Form::plain, remove_stored, slow, writes},

    {"POST", R::stored_procedure, feed, Form::plain, create_stored, slow, writes},
    {"GET", R::stored_procedure, feed, Form::plain, list_stored, slow, reads},
    {"POST", R::stored_procedure, feed, Form::query, query_stored, slow, reads},
    {"GET", R::stored_procedure, item, Form::plain, read_stored, slow, reads},
    {"POST", R::stored_procedure, item, Form::plain, execute_procedure, slow, writes},
    {"PUT", R::stored_procedure, item, Form::plain, replace_stored, slow, writes},
    {"DELETE", R::stored_procedure, item, Form::plain, remove_stored, slow, writes},

    {"POST", R::trigger, feed, Form::plain, create_stored, slow, writes},
    {"GET", R::trigger, feed, Form::plain, list_stored, slow, reads},
    {"POST", R::trigger, feed, Form::query, query_stored, slow, reads},
    {"GET", R::trigger, item, Form::plain, read_stored, slow, reads},
    {"PUT", R::trigger, item, Form::plain, replace_stored, slow, writes},
    {"DELETE", R::trigger, item, Form::plain, remove_stored, slow, writes},

    {"POST", R::user_function, feed, Form::plain, create_stored, slow, writes},
    {"GET", R::user_function, feed, Form::plain, list_stored, slow, reads},
    {"POST", R::user_function, feed, Form::query, query_stored, slow, reads},
    {"GET", R::user_function, item, Form::plain, read_stored, slow, reads},
    {"PUT", R::user_function, item, Form::plain, replace_stored, slow, writes},
    {"DELETE", R::user_function, item, Form::plain, remove_stored, slow, writes},
};

}  // namespace

Form form_of(const Call& call) {
  if (call.address.is_partition_removal) return Form::removal;
  if (call.is_plan_request()) return Form::plan;
  if (call.has_flag("x-ms-cosmos-is-batch-request")) return Form::batch;
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
  for (const Route& route : route_table) {
    if (route.kind != address.kind || route.is_feed != address.is_feed || route.form != form)
      continue;
    is_known = true;
    if (route.method == asked) return &route;
  }
  return nullptr;
}

}  // namespace mayfly::cosmos
