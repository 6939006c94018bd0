#include "dialect/cosmos/scripts/runtime/host.h"

#include <algorithm>
#include <iterator>

#include "base/cut_text.h"
#include "dialect/common/limits.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/feeds/feed.h"
#include "dialect/cosmos/documents/writes/write.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/queries/query_text.h"
#include "dialect/cosmos/scripts/user_functions.h"
#include "query/run.h"
#include "query/running/row.h"
#include "script/limits.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

// A script is asked to end this long before it is stopped, so it can commit its writes.
constexpr Span time_to_end{limits::script_time_max.micros / 5};

Error other_partition() {
  return bad_request(
      "Requests originating from scripts cannot reference partition keys other than the one for "
      "which client request was submitted.");
}

// Errors that the script cannot handle but the client can: they end the script.
bool ends_script(const Error& error) {
  constexpr Code codes[] = {Code::contended, Code::timed_out, Code::throttled,
                            Code::no_space,  Code::corrupt,   Code::internal};
  return std::find(std::begin(codes), std::end(codes), error.code) != std::end(codes);
}

IfMatch if_match_in(const Value& options, Instant now) {
  const Value etag = options.member("etag");
  if (!etag.is(Kind::text)) return {};
  IfMatch condition = parse_if_match(etag.text());
  // The tag of this transaction's own writes until the commit.
  if (condition.written_at == now) condition.is_any = true;
  return condition;
}

query::RunOptions page_size_in(const Value& options, Instant stop_at) {
  query::RunOptions paging{.meter = Meter(monotonic_now, stop_at)};
  const Value size = options.member("pageSize");
  if (size.is(Kind::integer) && size.integer() > 0) {
    paging.rows_max = static_cast<std::size_t>(
        std::min(size.integer(), static_cast<std::int64_t>(limits::page_rows_max)));
  }
  return paging;
}

std::string_view trimmed(std::string_view link) {
  while (link.starts_with('/')) link.remove_prefix(1);
  while (link.ends_with('/')) link.remove_suffix(1);
  return link;
}

}  // namespace

struct ScriptHost::Operation {
  std::string_view name;
  Result<Object> (ScriptHost::*run)(Arguments);
  std::size_t arguments;
  bool is_write;
};
const ScriptHost::Operation ScriptHost::operations_[] = {
    {"create", &ScriptHost::create, 3, true}, {"upsert", &ScriptHost::upsert, 3, true},
    {"read", &ScriptHost::read, 2, false},    {"readAll", &ScriptHost::read_all, 2, false},
    {"query", &ScriptHost::query, 3, false},  {"replace", &ScriptHost::replace, 3, true},
    {"delete", &ScriptHost::remove, 2, true},
};

Result<Value> ScriptHost::answer(std::string_view name, Arguments given) {
  if (name == "log" && given.size() == 1 && given[0].is(Kind::text)) {
    take_log(given[0].text());
    return Value();
  }
  if (name == "accepts" && given.size() == 1 && given[0].is(Kind::text)) {
    return Value(accepts(given[0].text()));
  }
  for (const Operation& operation : operations_) {
    if (operation.name != name || operation.arguments != given.size()) continue;
    if (operation.is_write) ++writes_;
    auto done = (this->*operation.run)(given);
    if (done) return Value(*std::move(done));
    if (ends_script(done.error())) return tl::unexpected(done.error());
    Object error{{"number", status_of(done.error().code)}, {"body", done.error().message}};
    return Value(Object{{"error", std::move(error)}});
  }
  return fail(Code::invalid, "A script has asked for what there is not: " + std::string(name));
}

bool ScriptHost::accepts(std::string_view name) const {
  if (monotonic_now() + time_to_end > environment_.scripts.stop_at()) return false;
  const auto* operation = std::find_if(std::begin(operations_), std::end(operations_),
                                       [name](const Operation& o) { return o.name == name; });
  const bool writes = operation != std::end(operations_) && operation->is_write;
  return !writes || writes_ < limits::transaction_operations_max;
}

void ScriptHost::take_log(std::string_view text) {
  if (!log_.empty()) log_ += '\n';
  log_ += text;
  log_.resize(truncate_utf8(log_, limits::script_log_bytes_max).size());
}

// --- links ---

Result<void> ScriptHost::check_collection(const Value& link) {
  if (!link.is(Kind::text)) {
    return tl::unexpected(bad_request("A script must name its container by a link."));
  }
  const Address address = TRY(parse_link(trimmed(link.text())));
  const Catalog& catalog = environment_.transaction.view().catalog();
  const bool is_container = address.kind == ResourceKind::container;
  const auto named = is_container ? environment_.call.containers.find(catalog, address)
                                  : Result<ContainerPtr>(tl::unexpected(no_such_resource()));
  if (named && (*named)->collection->id == environment_.container.collection->id) return {};
  return tl::unexpected(bad_request("A script can use no container but its own."));
}

Result<DocumentKey> ScriptHost::key_of(const Value& link) {
  if (!link.is(Kind::text)) {
    return tl::unexpected(bad_request("A script must name a document by its link."));
  }
  Address address = TRY(parse_link(trimmed(link.text())));
  if (address.kind != ResourceKind::document || address.is_feed) {
    return tl::unexpected(bad_request("This is no link of a document: " + link.text()));
  }
  TRY(check_collection(Value(link.text().substr(0, link.text().rfind("/docs/")))));
  const CosmosCall& call = environment_.call;
  const CosmosCall about{call.request,     call.services,      call.keys, call.containers,
                         call.rid_numbers, std::move(address), {}};
  DocumentKey key =
      TRY(addressed_document(about, environment_.container, environment_.transaction.view(),
                             *environment_.partition.routing));
  if (key.routing != *environment_.partition.routing) return tl::unexpected(other_partition());
  return key;
}

Result<Object> ScriptHost::shown(const DocumentKey& key) {
  View& view = environment_.transaction.view();
  const auto document = TRY(view.get(*environment_.container.collection, key, view.live()));
  if (!document) return tl::unexpected(no_such_resource());
  Value resource = document_value(environment_.container, *document);
  return Object{{"options", Object{{"etag", resource.member("_etag")}}},
                {"resource", std::move(resource)}};
}

// --- documents ---

Result<Object> ScriptHost::put_new(Arguments given, bool replaces) {
  TRY(check_collection(given[0]));
  Value body = given[1];
  const bool gets_id = !given[2].member("disableAutomaticIdGeneration").is_true();
  if (gets_id && body.is(Kind::object) && body.member("id").is_missing()) {
    body.mutable_object().set("id", environment_.call.services.random.uuid());
  }
  NewDocument document = TRY(take_document(body, environment_.container.definition));
  if (document.routing != *environment_.partition.routing) return tl::unexpected(other_partition());
  const WriteMode mode = replaces ? WriteMode::upsert : WriteMode::create;
  const IfMatch condition = if_match_in(given[2], environment_.transaction.now());
  const WriteResult written =
      TRY(write_document(environment_.call.rid_numbers, environment_.transaction,
                         environment_.container, std::move(document), mode, condition));
  return shown(written.key);
}

Result<Object> ScriptHost::create(Arguments given) {
  return put_new(given, false);
}

Result<Object> ScriptHost::upsert(Arguments given) {
  return put_new(given, true);
}

Result<Object> ScriptHost::read(Arguments given) {
  return shown(TRY(key_of(given[0])));
}

Result<Object> ScriptHost::replace(Arguments given) {
  const DocumentKey key = TRY(key_of(given[0]));
  NewDocument document = TRY(take_document(given[1], environment_.container.definition));
  if (document.routing != key.routing) return tl::unexpected(other_partition());
  if (document.id != key.id) {
    return tl::unexpected(bad_request("Replacing a document cannot change its id."));
  }
  const IfMatch condition = if_match_in(given[2], environment_.transaction.now());
  TRY(write_document(environment_.call.rid_numbers, environment_.transaction,
                     environment_.container, std::move(document), WriteMode::replace, condition));
  return shown(key);
}

Result<Object> ScriptHost::remove(Arguments given) {
  const DocumentKey key = TRY(key_of(given[0]));
  const IfMatch condition = if_match_in(given[1], environment_.transaction.now());
  TRY(remove_document(environment_.transaction, environment_.container, key, condition));
  return Object();
}

// --- queries ---

Result<Object> ScriptHost::query(Arguments given) {
  TRY(check_collection(given[0]));
  return rows_of(render_json(given[1]), given[2]);
}

Result<Object> ScriptHost::read_all(Arguments given) {
  TRY(check_collection(given[0]));
  return rows_of(R"("SELECT * FROM c")", given[1]);
}

Result<Object> ScriptHost::rows_of(std::string_view query, const Value& options) {
  const QueryText text = TRY(parse_query_body(query));
  query::RunOptions paging = page_size_in(options, environment_.scripts.stop_at());
  const List list{ResourceKind::document, environment_.container.rid};
  const Value continuation = options.member("continuation");
  if (continuation.is(Kind::text) && !continuation.text().empty()) {
    paging.bookmark = TRY(open_continuation(environment_.call, list, continuation.text()));
  }
  View& view = environment_.transaction.view();
  sql::Target target{documents_of(environment_.container, view.live(), environment_.partition),
                     &environment_.container, view.now()};
  target.user_functions = user_functions(environment_.call.services, environment_.container, view,
                                         environment_.scripts.stop_at());
  const auto wanted = TRY(lower_query(text, target));
  const query::RowsPage page = TRY(query::answer(wanted, view, paging));
  Array rows;
  for (const query::QueryRow& row : page.rows) {
    const bool is_document = row.document && !row.value;
    rows.push_back(is_document ? document_value(environment_.container, *row.document)
                               : row.whole());
  }
  Object how_to_go_on;
  if (page.next)
    how_to_go_on.set("continuation", continuation_of(environment_.call, list, *page.next));
  return Object{{"resource", std::move(rows)}, {"options", std::move(how_to_go_on)}};
}

}  // namespace mayfly::cosmos
