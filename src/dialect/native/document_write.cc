#include "dialect/native/document_write.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "dialect/common/parameters.h"
#include "dialect/native/envelope.h"
#include "value/rfc3339.h"

namespace mayfly::native {
namespace {

Result<LifetimeAsked> read_lifetime(const net::Request& request) {
  if (request.parameters.empty()) return Keep{};
  const auto ttl = TRY(integer_parameter(request, "ttl", 1, limits::ttl_seconds_max));
  const auto expires_at = TRY(time_parameter(request, "expires_at"));
  const auto never = TRY(boolean_parameter(request, "never"));
  const auto inherit = TRY(boolean_parameter(request, "inherit"));
  for (const auto& [flag, name] : {std::pair{never, "never"}, std::pair{inherit, "inherit"}}) {
    if (flag && !*flag) {
      return fail(Code::invalid, fmt::format("\"{}\" is true or left out", name), name);
    }
  }
  const int said =
      ttl.has_value() + expires_at.has_value() + never.has_value() + inherit.has_value();
  if (said > 1) {
    return fail(Code::invalid, "at most one of ttl, expires_at, never and inherit may be given",
                ttl          ? "ttl"
                : expires_at ? "expires_at"
                             : "never");
  }
  if (ttl) return Span::seconds(*ttl);
  if (expires_at) return *expires_at;
  if (never) return Never{};
  if (inherit) return Inherit{};
  return Keep{};
}

}  // namespace

Result<WriteAsked> read_write(const Call& call) {
  return WriteAsked{TRY(read_lifetime(call.request)), TRY(read_conditions(call.request)),
                    TRY(author_of(call))};
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
  return Keep{};
}

Result<void> check_conditions(const Conditions& conditions, Transaction& transaction,
                              const Collection& collection, const DocumentKey& key) {
  if (!conditions.any()) return {};
  View& view = transaction.view();
  const auto current = TRY(view.get(collection, key, view.live()));
  return check_conditions(conditions, current, key.id);
}

Result<net::Response> edit_document(Call& call, const DocumentKey& key, const EditWork& work) {
  CollectionPtr collection;
  net::Response response;
  const auto found_and_done = [&](Transaction& transaction) -> Result<void> {
    collection = TRY(find_collection(call, transaction.view().catalog()));
    return work(transaction, collection);
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

Error about_as_of(Error error) {
  if (error.field.empty()) error.field = "as_of";
  return error;
}

}  // namespace mayfly::native
