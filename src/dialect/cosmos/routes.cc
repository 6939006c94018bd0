#include "dialect/cosmos/routes.h"

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

constexpr Route table[] = {
    {"GET", R::account, item, Form::plain, read_account, quick, reads},

    {"POST", R::database, feed, Form::plain, create_database, slow, writes},
    {"GET", R::database, feed, Form::plain, list_databases, slow, reads},
    {"GET", R::database, item, Form::plain, read_database, quick, reads},
    {"DELETE", R::database, item, Form::plain, drop_database, slow, writes},

    {"POST", R::container, feed, Form::plain, create_container, slow, writes},
    {"GET", R::container, feed, Form::plain, list_containers, slow, reads},
    {"GET", R::container, item, Form::plain, read_container, slow, reads},
    {"PUT", R::container, item, Form::plain, replace_container, slow, writes},
    {"DELETE", R::container, item, Form::plain, drop_container, slow, writes},
    {"POST", R::container, item, Form::removal, remove_partition, slow, writes},
    {"GET", R::partition_range, feed, Form::plain, list_partition_ranges, quick, reads},

    {"POST", R::document, feed, Form::plain, create_document, quick, writes},
    {"GET", R::document, feed, Form::plain, list_documents, slow, reads},
    {"GET", R::document, item, Form::plain, read_document, quick, reads},
    {"PUT", R::document, item, Form::plain, replace_document, quick, writes},
    {"DELETE", R::document, item, Form::plain, remove_document, quick, writes},
};

}  // namespace

Form form_of(const Call& call) {
  if (call.address.is_partition_removal) return Form::removal;
  if (call.is_plan_request()) return Form::plan;
  if (call.has_flag("x-ms-cosmos-is-batch-request")) return Form::batch;
  const bool may_be_query = call.request.method == "POST" && call.address.is_feed;
  return may_be_query && call.is_query() ? Form::query : Form::plain;
}

const Route* find_route(std::string_view method, const Address& address, Form form,
                        bool& is_known) {
  is_known = false;
  const std::string_view asked = method == "HEAD" ? "GET" : method;
  for (const Route& route : table) {
    if (route.kind != address.kind || route.is_feed != address.is_feed || route.form != form)
      continue;
    is_known = true;
    if (route.method == asked) return &route;
  }
  return nullptr;
}

}  // namespace mayfly::cosmos
