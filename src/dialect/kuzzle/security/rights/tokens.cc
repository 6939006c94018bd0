// Tokens of logins: how they are signed, checked and revoked.
#include <fmt/format.h>

#include "base/crypto/crypto.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/security/auth/api_keys.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/security/rows.h"
#include "dialect/kuzzle/security/users/users.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

const std::string signing_key_id = "jwt";

tl::unexpected<Error> invalid_token(const char* why) {
  return problem("security.token.invalid", why);
}

DocumentKey key_of_ended(const std::string& token) {
  return DocumentKey::of(encode_hex(sha256(token)));
}

DocumentKey key_of_all_ended(const std::string& user_id) {
  return key_of_ended("all of " + user_id);  // no token has a space
}

Result<Bytes> signing_key(Database& database) {
  const auto table = find_security_table<SigningKey>(*database.catalog());
  const auto stored = TRY(table.get(database, DocumentKey::of(signing_key_id)));
  return stored ? stored->key : Bytes();
}

// A login belongs to the user that logged in, not to a later one with the same id. A token of an
// earlier version does not say which; then it must not be older than the user.
bool is_token_of(const Value& claims, const User& user) {
  const Value created = claims.member(user_created_claim);
  const Instant made_at = user.document.created_at;
  if (created.is(Kind::integer)) return created.integer() == made_at.micros;
  const Value issued = claims.member("iat");
  return issued.is(Kind::integer) && made_at <= Instant::from_seconds(issued.integer());
}

// Whether all tokens of its user have been revoked since. A token of an earlier version has only
// the second of its issue.
bool was_ended_with_all(const Value& claims, const std::optional<EndedToken>& all) {
  if (!all || !all->issued_until) return false;
  const Value issued = claims.member(issued_claim);
  if (issued.is(Kind::integer)) return issued.integer() <= all->issued_until->micros;
  const Value second = claims.member("iat");
  return !second.is(Kind::integer) || Instant::from_seconds(second.integer()) <= *all->issued_until;
}

}  // namespace

Result<Bytes> make_signing_key(Database& database) {
  if (Bytes stored = TRY(signing_key(database)); !stored.empty()) return stored;
  const auto table = TRY(ensure_security_table<SigningKey>(database));
  const SigningKey fresh{random_bytes(SigningKey::bytes)};
  const auto made = database.transact([&](Transaction& transaction) {
    return table.put(transaction, DocumentKey::of(signing_key_id), fresh,
                     {.expect = PutOptions::Expect::absent});
  });
  if (made) return fresh.key;
  if (made.error().code != Code::exists) return tl::unexpected(made.error());
  if (Bytes stored = TRY(signing_key(database)); !stored.empty()) return stored;
  const auto now = find_security_table<SigningKey>(*database.catalog());
  const bool is_reset = !now || now.collection()->id != table.collection()->id;
  if (is_reset) return fail(Code::contended, "users and rights are being reset");
  return fail(Code::corrupt, "what tokens are signed with cannot be read");
}

Result<Token> verify_token(Database& database, const std::string& token) {
  const Bytes key = TRY(signing_key(database));
  if (key.empty()) return invalid_token("Json Web Token Error");
  const bool is_api_key = token.starts_with(api_key_prefix);
  const auto claims_text =
      verify_jwt(is_api_key ? token.substr(api_key_prefix.size()) : token, key);
  const auto claims = claims_text ? parse_json(*claims_text) : tl::unexpected(claims_text.error());
  if (!claims) return invalid_token("Json Web Token Error");
  if (is_api_key) return verify_api_key(database, token, *claims);
  const Value id = claims->member("_id");
  const Value exp = claims->member("exp");
  // The token of an API key without its prefix is not a login.
  const bool is_login =
      id.is(Kind::text) && exp.is(Kind::integer) && claims->member(api_key_claim).is_missing();
  if (!is_login) return invalid_token("Json Web Token Error");
  const Instant ends_at = Instant::from_seconds(exp.integer());
  if (database.now() >= ends_at) return problem("security.token.expired", "Token expired");
  const auto ended = find_security_table<EndedToken>(*database.catalog());
  if (TRY(ended.get(database, key_of_ended(token)))) return invalid_token("Invalid token");
  const auto all_ended = TRY(ended.get(database, key_of_all_ended(id.text())));
  if (was_ended_with_all(*claims, all_ended)) return invalid_token("Invalid token");
  const auto user = TRY(read_user(database, id.text()));
  if (!user || !is_token_of(*claims, *user)) return invalid_token("Invalid token");
  return Token{.user_id = id.text(),
               .user_created_at = user->document.created_at,
               .ends_at = ends_at,
               .is_single_use = claims->member(single_use_claim).is_true()};
}

Principal principal_of(const Token& token) {
  return {.id = token.user_id,
          .token_ends_at = token.ends_at,
          .created_at = token.user_created_at,
          .has_api_key = token.is_api_key,
          .has_single_use = token.is_single_use};
}

Result<Issued> issue_token(Database& database, const UserRef& user, Span for_time, TokenUse use) {
  const Bytes key = TRY(make_signing_key(database));
  const Instant now = database.now();
  // Whole seconds, rounded up: a token lasts at least as long as requested.
  const Instant ends_at = Instant::from_seconds((now + for_time + Span{999'999}).whole_seconds());
  Object claims{{"_id", user.id},
                {std::string(user_created_claim), user.created_at.micros},
                {std::string(issued_claim), now.micros},
                {"iat", now.whole_seconds()},
                {"exp", ends_at.whole_seconds()},
                {"jti", encode_base64url(random_bytes(12))}};
  if (use == TokenUse::single) claims.append(std::string(single_use_claim), true);
  auto token = TRY(sign_jwt(render_json(claims), key));
  return Issued{std::move(token), ends_at, for_time};
}

namespace {

// It is remembered for as long as it would have been valid.
Result<void> put_ended(Database& database, const std::string& token, PutOptions::Expect expect) {
  const Token known = TRY(verify_token(database, token));
  const auto table = TRY(ensure_security_table<EndedToken>(database));
  TRY(database.transact([&](Transaction& transaction) {
    return table.put(transaction, key_of_ended(token), {known.user_id},
                     {.expect = expect, .lifetime = Lifetime{At{known.ends_at}}});
  }));
  return {};
}

}  // namespace

Result<void> end_token(Database& database, const std::string& token) {
  return put_ended(database, token, PutOptions::Expect::anything);
}

Result<void> use_up_token(Database& database, const std::string& token) {
  const auto used = put_ended(database, token, PutOptions::Expect::absent);
  if (used || used.error().code != Code::exists) return used;
  return invalid_token("Invalid token");
}

Result<void> end_all_tokens(Database& database, const std::string& user_id) {
  const auto table = TRY(ensure_security_table<EndedToken>(database));
  const Instant now = database.now();
  // The last of them expires at most a second later, because expirations are rounded up.
  const Instant forgotten_at = now + login_for_max + Span::seconds(1);
  TRY(database.transact([&](Transaction& transaction) {
    return table.put(transaction, key_of_all_ended(user_id), {user_id, now},
                     {.lifetime = Lifetime{At{forgotten_at}}});
  }));
  return {};
}

}  // namespace mayfly::kuzzle
