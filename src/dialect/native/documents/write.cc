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

Result<LifetimeAsked> read_lifetime(const net::Request& request) {
  if (request.parameters.empty()) return Keep{};
  LifetimeSaid said;
  said.ttl = TRY(integer_parameter(request, "ttl", 1, limits::ttl_seconds_max));
  said.expires_at = TRY(time_parameter(request, "expires_at"));
  said.never = TRY(boolean_parameter(request, "never"));
  said.inherit = TRY(boolean_parameter(request, "inherit"));
  return choose_lifetime(said, "ttl, expires_at, never and inherit");
}

}  // namespace

Result<LifetimeAsked> choose_lifetime(const LifetimeSaid& said, std::string_view words_there) {
  for (const auto& [flag, name] :
       {std::pair{said.never, "never"}, std::pair{said.inherit, "inherit"}}) {
    if (flag && !*flag) {
      return fail(Code::invalid, fmt::format("\"{}\" is true or left out", name), name);
    }
  }
  const int words = said.ttl.has_value() + said.expires_at.has_value() + said.never.has_value() +
                    said.inherit.has_value() + said.after.has_value();
  if (words > 1) {
    return fail(Code::invalid, fmt::format("at most one of {} may be given", words_there),
                said.ttl          ? "ttl"
                : said.expires_at ? "expires_at"
                : said.never      ? "never"
                                  : "inherit");
  }
  if (said.ttl) return Span::seconds(*said.ttl);
  if (said.expires_at) return *said.expires_at;
  if (said.never) return Never{};
  if (said.inherit) return Inherit{};
  if (said.after) return After{Span::seconds(*said.after)};
  return Keep{};
}

Result<WriteAsked> read_write(const Call& call) {
  WriteAsked asked;
  asked.lifetime = TRY(read_lifetime(call.request));
  asked.conditions = TRY(read_conditions(call.request));
  asked.author = TRY(author_of(call));
  return asked;
}

Result<LifetimeChange> lifetime_at(const LifetimeAsked& asked, Instant now) {
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

Result<DocumentKey> key_of(const Call& call, const Collection& collection) {
  return key_of(call, collection, call["id"]);
}

Result<DocumentKey> key_of(const Call& call, const Collection& collection, std::string id) {
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

Result<net::Response> edit_document(Call& call, const EditWork& work) {
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
