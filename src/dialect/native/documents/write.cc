#include "dialect/native/documents/write.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "db/rows/partition.h"
#include "dialect/common/requests/parameters.h"
#include "dialect/native/documents/envelope.h"
#include "value/json/json.h"
#include "value/packed/packed.h"
#include "value/patch.h"
#include "value/rfc3339.h"

namespace mayfly::native {
namespace {

Result<RequestedLifetime> read_lifetime(const net::Request& request) {
  if (request.parameters.empty()) return Keep{};
  LifetimeMembers members;
  members.ttl = TRY(integer_parameter(request, "ttl", 1, limits::ttl_seconds_max));
  members.expires_at = TRY(time_parameter(request, "expires_at"));
  members.never = TRY(boolean_parameter(request, "never"));
  members.inherit = TRY(boolean_parameter(request, "inherit"));
  return pick_lifetime(members, "ttl, expires_at, never and inherit");
}

}  // namespace

Result<RequestedLifetime> pick_lifetime(const LifetimeMembers& members,
                                        std::string_view allowed_names) {
  for (const auto& [flag, name] :
       {std::pair{members.never, "never"}, std::pair{members.inherit, "inherit"}}) {
    if (flag && !*flag) {
      return fail(Code::invalid, fmt::format("\"{}\" is true or left out", name), name);
    }
  }
  const int count = members.ttl.has_value() + members.expires_at.has_value() +
                    members.never.has_value() + members.inherit.has_value() +
                    members.after.has_value();
  if (count > 1) {
    return fail(Code::invalid, fmt::format("at most one of {} may be given", allowed_names),
                members.ttl          ? "ttl"
                : members.expires_at ? "expires_at"
                : members.never      ? "never"
                                     : "inherit");
  }
  if (members.ttl) return Span::seconds(*members.ttl);
  if (members.expires_at) return *members.expires_at;
  if (members.never) return Never{};
  if (members.inherit) return Inherit{};
  if (members.after) return After{Span::seconds(*members.after)};
  return Keep{};
}

Result<DocumentWriteOptions> read_write(const NativeCall& call) {
  DocumentWriteOptions asked;
  asked.lifetime = TRY(read_lifetime(call.request));
  asked.conditions = TRY(read_conditions(call.request));
  asked.author = TRY(author_of(call));
  return asked;
}

Result<LifetimeChange> lifetime_at(const RequestedLifetime& asked, Instant now) {
  if (const Span* span = std::get_if<Span>(&asked)) {
    const Instant death = now + *span;
    if (death <= limits::instant_max) return Lifetime(At{death});
    return fail(Code::invalid, "\"ttl\" ends after the year 9999", "ttl");
  }
  if (const Instant* instant = std::get_if<Instant>(&asked)) {
    if (*instant > now) return Lifetime(At{*instant});
    return fail(Code::invalid,
                fmt::format("\"expires_at\" has passed; now is {}", render_rfc3339(now)),
                "expires_at");
  }
  if (std::holds_alternative<Never>(asked)) return Lifetime(Never{});
  if (std::holds_alternative<Inherit>(asked)) return Lifetime(Inherit{});
  if (const After* after = std::get_if<After>(&asked)) return Lifetime(*after);
  return Keep{};
}

Result<void> check_conditions(const Conditions& conditions, Transaction& transaction,
                              const Collection& collection, const DocumentKey& key) {
  if (!conditions.any()) return {};
  View& view = transaction.view();
  const auto current = TRY(view.get(collection, key, view.live()));
  return check_conditions(conditions, current, key.id);
}

Result<DocumentKey> key_of(const NativeCall& call, const Collection& collection) {
  return key_of(call, collection, call["id"]);
}

Result<DocumentKey> key_of(const NativeCall& call, const Collection& collection, std::string id) {
  DocumentKey key = DocumentKey::of(std::move(id));
  TRY(check(key));
  const auto partition = TRY(text_parameter(call.request, "partition"));
  if (!partition) return key;
  const auto values = parse_json(*partition);
  if (!values) {
    return fail(Code::invalid, R"("partition" is a JSON array, as in ["a"])", "partition");
  }
  key.routing = TRY(parse_partition(collection.body, *values));
  return key;
}

Result<net::Response> edit_document(NativeCall& call, const EditWork& work) {
  CollectionPtr collection;
  DocumentKey key;
  net::Response response;
  const auto found_and_done = [&](Transaction& transaction) -> Result<void> {
    collection = TRY(find_collection(call, transaction.view().catalog()));
    key = TRY(key_of(call, *collection));
    return work(transaction, collection, key);
  };
  const auto committed = [&](const Transaction& transaction, Instant) {
    const auto document = transaction.written(collection, key);
    if (!document) return;
    response.headers.emplace_back("ETag", '"' + etag_of(document->version) + '"');
    render_document(*document, {}, response.body);
  };
  TRY(call.database().transact(found_and_done, committed));
  return response;
}

Result<Bytes> patched(Transaction& transaction, const Collection& collection, DocumentKey& key,
                      const Value& patch) {
  View& view = transaction.view();
  const auto current = TRY(view.get(collection, key, view.live()));
  if (!current) return tl::unexpected(no_such_document(key.id));
  key = current->document_key();
  return pack(merge_patch(current->body.unpack(), patch));
}

Error about_as_of(Error error) {
  if (error.field.empty()) error.field = "as_of";
  return error;
}

}  // namespace mayfly::native
