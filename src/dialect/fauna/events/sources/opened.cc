#include "dialect/fauna/events/sources/opened.h"

#include <algorithm>

#include "dialect/fauna/events/sources/streamable.h"
#include "dialect/fauna/schema/apply.h"
#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {
namespace {

bool same(const std::optional<DocumentHandle>& a, const std::optional<DocumentHandle>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->collection == b->collection && a->id == b->id;
}

bool has_role(View& view, DatabaseId database, const std::string& role) {
  Reading reading(view, database);
  const auto found = reading.get_system(*find_system("Role"), role);
  return found && *found;
}

}  // namespace

Result<OpenedSourcePtr> open_source(const net::Request& request, const SharedServices& shared,
                                    const Principal& principal, const std::string& token) {
  const Services& services = shared.services;
  const DatabaseInfoPtr in = TRY(database_of(services.database, principal.database_path));
  TRY(ensure_schema_applied(services.database, in->id));
  const std::string* header = request.header("authorization");
  auto opened = std::shared_ptr<OpenedSource>(new OpenedSource{
      .database = services.database,
      .random = services.random,
      .page_tokens = services.page_tokens,
      .principal = principal,
      .database_id = in->id,
      .root = shared.root,
      .authorization = header == nullptr ? std::string() : *header,
  });
  View view = services.database.view();
  const QueryEnvironment query_environment = opened->environment();
  Interpreter run(query_environment, view, nullptr, Meter(monotonic_now, request.answer_by));
  opened->source = TRY(event_source_of(run, FqlValue(EventSourceToken{.text = token})));
  const std::string& name = followed_collection(followed_set(*opened->source.set));
  const FqlCollectionPtr of = TRY(run.collection(name));
  const bool is_followed = of && of->core && of->core->policy.feed.span != mayfly::Span{0};
  if (!is_followed) return fail(Code::invalid, "the collection keeps no events");
  opened->collection = of->core->id;
  return opened;
}

bool is_still_authorized(const OpenedSource& opened) {
  const net::Request probe{.headers = {{"authorization", opened.authorization}}};
  const auto now = authenticate(probe, opened.root, opened.database);
  const Principal& then = opened.principal;
  if (!now || now->database_path != then.database_path || now->role != then.role ||
      now->roles != then.roles || !same(now->identity, then.identity)) {
    return false;
  }
  if (then.roles.empty()) return true;
  View view = opened.database.view();
  return std::all_of(then.roles.begin(), then.roles.end(), [&](const std::string& role) {
    return has_role(view, opened.database_id, role);
  });
}

}  // namespace mayfly::fauna
