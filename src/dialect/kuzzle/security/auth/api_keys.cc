#include "dialect/kuzzle/security/auth/api_keys.h"

#include <fmt/format.h>

#include "base/crypto/crypto.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/requests/routes.h"
#include "dialect/kuzzle/security/auth/expiry.h"
#include "dialect/kuzzle/security/objects.h"
#include "dialect/kuzzle/security/store.h"
#include "dialect/kuzzle/security/users/users.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

// The keys of the caller, or of the user that the request names.
Result<UserRef> keys_owner(const KuzzleCall& call) {
  if (call.route->traits.is_of_caller) {
    if (!call.principal.is_anonymous())
      return UserRef{call.principal.id, call.principal.created_at};
    return problem("security.rights.unauthorized", "Unauthorized: no user is logged in");
  }
  const auto id = TRY(call.text("userId"));
  if (!id || id->empty()) return missing_argument("userId");
  return find_user(call.database(), *id);
}

tl::unexpected<Error> must_not_outlive(const char* why) {
  return problem("security.token.refresh_forbidden", why);
}

struct Key {
  std::string id;
  UserRef user;
  Span for_time = {};  // infinite: it never expires
  Instant ends_at = {};
};

Result<std::string> token_of(Database& database, const Key& key, Instant now) {
  const Bytes secret = TRY(make_signing_key(database));
  Object claims{{"_id", key.user.id},
                {std::string(user_created_claim), key.user.created_at.micros},
                {"iat", now.whole_seconds()},
                {std::string(api_key_claim), key.id},
                {"jti", encode_base64url(random_bytes(24))}};
  // Whole seconds, rounded up; the document's expiration is what applies.
  if (!key.ends_at.is_never()) {
    claims.append("exp", (key.ends_at + Span{999'999}).whole_seconds());
  }
  return std::string(api_key_prefix) + TRY(sign_jwt(render_json(claims), secret));
}

// A key that was created with another key, or with a single-use token, does not outlive it. A login
// creates keys of any lifetime.
Result<void> check_end(const KuzzleCall& call, const Key& key) {
  const Principal& caller = call.principal;
  if (key.user.id != caller.id) return {};
  if (caller.has_single_use) {
    return must_not_outlive("A token for a single request cannot be exchanged for an API key.");
  }
  if (!caller.has_api_key || key.ends_at <= caller.token_ends_at) return {};
  return must_not_outlive("An API key makes none that ends later than itself.");
}

std::string fingerprint_of(const std::string& token) {
  return encode_hex(sha256(token));
}

Object told_of(const Key& key, const std::string& description, const std::string& fingerprint) {
  const bool ends = !key.ends_at.is_never();
  return {{"userId", key.user.id},
          {"description", description},
          {"expiresAt", ends ? to_millis(key.ends_at) : -1},
          {"ttl", ends ? key.for_time.micros / 1'000 : -1},
          {"fingerprint", fingerprint}};
}

Result<void> put_key(const KuzzleCall& call, const Key& key, const ApiKey& row) {
  const auto table = TRY(ensure_security_table<ApiKey>(call.database()));
  const DocumentKey place = DocumentKey::of(key.id);
  TRY(check(place));
  const Lifetime lifetime = key.ends_at.is_never() ? Lifetime{Never{}} : Lifetime{At{key.ends_at}};
  const auto made = call.database().transact([&](Transaction& transaction) -> Result<void> {
    TRY(check_user_exists(transaction.view(), key.user));
    return table.put(
        transaction, place, row,
        {.expect = PutOptions::Expect::absent, .lifetime = lifetime, .author = call.principal.id});
  });
  if (made) return {};
  if (made.error().code != Code::exists) return tl::unexpected(made.error());
  return problem("services.storage.document_already_exists",
                 fmt::format("ApiKey with id \"{}\" already exists.", key.id));
}

tl::unexpected<Error> no_such_key(const std::string& id, const std::string& user_id) {
  return problem("services.storage.not_found",
                 fmt::format("ApiKey \"{}\" not found for user \"{}\".", id, user_id));
}

// A token of an earlier version does not say which user with that id it belongs to: then it is the
// one stored with its key.
bool belongs_to(const Value& claims, const User& user) {
  const Value created = claims.member(user_created_claim);
  if (created.is_missing()) return true;
  return created.is(Kind::integer) && created.integer() == user.document.created_at.micros;
}

}  // namespace

Result<Token> verify_api_key(Database& database, const std::string& token, const Value& claims) {
  const auto invalid = [] { return problem("security.token.invalid", "Invalid token"); };
  const Value id = claims.member(api_key_claim);
  if (!id.is(Kind::text)) return invalid();
  View view = database.view();  // the key and the user in one snapshot
  const auto key =
      TRY(find_security_table<ApiKey>(view.catalog()).get(view, DocumentKey::of(id.text())));
  if (!key || !constant_time_equal(key->fingerprint, fingerprint_of(token))) return invalid();
  const auto user = TRY(read_user(view, key->user_id));
  if (!user || !belongs_to(claims, *user)) return invalid();
  return Token{key->user_id, user->document.created_at, key->ends_at, true};
}

Result<void> remove_api_keys(Transaction& transaction, const std::set<std::string>& user_ids) {
  View& view = transaction.view();
  const auto table = find_security_table<ApiKey>(view.catalog());
  return table.each(view, [&](const ApiKey& key) -> Result<bool> {
    if (user_ids.contains(key.user_id)) TRY(table.remove(transaction, DocumentKey::of(key.id)));
    return true;
  });
}

// The token is shown only here.
Result<std::string> create_api_key(KuzzleCall& call) {
  Key key;
  key.user = TRY(keys_owner(call));
  const std::string description = TRY(call.body_text("description"));
  TRY(call.check_refresh());
  key.for_time = TRY(requested_expiry(call, Span::infinite())).value_or(Span::infinite());
  const bool has_id = call.message.id && !call.message.id->empty();
  key.id = has_id ? *call.message.id : new_document_id(call.shared.services.random);
  const Instant now = call.database().now();
  const bool ends = key.for_time != Span::infinite();
  key.ends_at = ends ? floor_millis(now + key.for_time) : Instant::never();
  TRY(check_end(call, key));
  const std::string token = TRY(token_of(call.database(), key, now));
  const std::string fingerprint = fingerprint_of(token);
  Object body = told_of(key, description, fingerprint);
  TRY(put_key(call, key, {key.id, key.user.id, fingerprint, body, key.ends_at}));
  body.append("token", token);
  return render_json(Object{{"_id", key.id}, {"_source", body}});
}

// In order of creation. A client without a login has none.
Result<std::string> search_api_keys(KuzzleCall& call) {
  const bool is_own = call.route->traits.is_of_caller;
  if (is_own && call.principal.is_anonymous()) return render_security_hits({}, 0);
  const std::string user_id = TRY(keys_owner(call)).id;
  const CollectionPtr collection = TRY(ensure_security_table<ApiKey>(call.database())).collection();
  const auto mapping = TRY(search::Mapping::parse(security_mapping(*collection)));
  View view = call.database().view();
  search::Language language{.mapping = mapping, .now = view.now()};
  const Object own{{"term", Object{{"userId", user_id}}}};
  ExprPtr query = TRY(phrased_as_search(search::parse_query(own, language)));
  // The body is the query itself.
  const Value body = TRY(search_body(call));
  language.read_query = TRY(query_language_of(call));
  if (body.is(Kind::object) && !body.object().empty()) {
    const ExprPtr filter = TRY(phrased_as_search(search::parse_query(body, language)));
    query = expr::all_of({query, filter});
  }
  const Object by_creation{{"sort", Array{"_kuzzle_info.createdAt"}}};
  search::Search parsed_search =
      TRY(phrased_as_search(search::parse_search(by_creation, language)));
  parsed_search.query = std::move(query);
  TRY(set_page(call, parsed_search));
  const search::SearchContext context{view, collection, false, meter_of(call)};
  const auto found = TRY(phrased_as_search(search::answer(parsed_search, context)));
  std::vector<std::string> hits;
  for (const search::Hit& hit : found.hits) hits.push_back(render_security(call, hit.document));
  return render_security_hits(hits, found.total);
}

Result<std::string> delete_api_key(KuzzleCall& call) {
  const UserRef user = TRY(keys_owner(call));
  const std::string id = TRY(call.id());
  TRY(call.check_refresh());
  const auto table = TRY(ensure_security_table<ApiKey>(call.database()));
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    TRY(check_user_exists(transaction.view(), user));
    const DocumentKey place = DocumentKey::of(id);
    const auto key = TRY(table.get(transaction.view(), place));
    if (!key || key->user_id != user.id) return no_such_key(id, user.id);
    return table.remove(transaction, place);
  }));
  return render_json(Object{{"_id", id}});
}

}  // namespace mayfly::kuzzle
