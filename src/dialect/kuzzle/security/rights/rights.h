// Authentication and authorization: a token names a user, whose profiles lead to roles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {

// A verified token.
struct Token {
  std::string user_id;
  Instant user_created_at;
  Instant ends_at;
  bool is_api_key = false;
  bool is_single_use = false;
};
Principal principal_of(const Token& token);
// The claim of a token that says when its user was created, in microseconds.
inline constexpr std::string_view user_created_claim = "userCreatedAt";
// The claim that says when a token was issued, in microseconds.
inline constexpr std::string_view issued_claim = "issuedAt";
// The claim of a single-use token.
inline constexpr std::string_view single_use_claim = "singleUse";
// The longest lifetime of a login.
inline constexpr Span login_for_max = Span::seconds(366 * 86'400);
// Fails with unauthenticated and Kuzzle's message if the token is invalid, expired or revoked.
Result<Token> verify_token(Database& database, const std::string& token);
// A new token. The action renders it as `{_id, jwt, expiresAt, ttl}`.
struct Issued {
  std::string text;  // the token
  Instant ends_at;
  Span for_time;
};
enum class TokenUse : std::uint8_t { many, single };
// The token does not authenticate a later user with the same id.
Result<Issued> issue_token(Database& database, const UserRef& user, Span for_time,
                           TokenUse use = TokenUse::many);
// Invalidates a single-use token. Fails with unauthenticated if another request has used it.
Result<void> use_up_token(Database& database, const std::string& token);
// Revokes a token, but not that of an API key.
Result<void> end_token(Database& database, const std::string& token);

// Revokes all tokens issued to the user so far, but not those of API keys.
Result<void> end_all_tokens(Database& database, const std::string& user_id);

// What a client without a login may do, as far as the protection of the port depends on it.
enum class AnonymousRights : std::uint8_t {
  restricted,  // at most what security:createFirstAdmin with `reset` leaves
  some,        // further actions, named by a role
  all,         // every action that no role names: the initial role
};
// According to the profile `anonymous` and its roles.
Result<AnonymousRights> named_anonymous_rights(View& view);
// The rights that apply. If a setting closes the server (auth.keys, or one of another dialect),
// `all` never applies, and before there is an administrator the rights are `restricted`. If other
// machines reach the port, `all` never applies either.
Result<AnonymousRights> anonymous_rights(const ServerContext& shared);

// The key that tokens are signed with. It is stored so that tokens survive a restart, and created
// if missing. Fails with corrupt if it cannot be read: nothing is signed then.
Result<Bytes> make_signing_key(Database& database);

// The user of a request's token; without a token, the anonymous user.
Result<Principal> authenticate(const ServerContext& shared, const Message& message);
// The same without accepting the server's keys as tokens.
Result<Principal> authenticate(Database& database, const Message& message);
// Fails as Kuzzle does, with forbidden, if the user lacks the right.
Result<void> authorize(const ServerContext& shared, const Principal& principal,
                       const Message& message);
// The same for the call's user.
Result<void> authorize(const KuzzleCall& call, const Message& message);

// Whether a stored role allows that action.
bool role_allows(const Value& role, const std::string& controller, const std::string& action);

// The collections in which the caller may run the request's action, for an action that shows many
// collections. authorize() has accepted the request.
class PermittedCollections {
 public:
  static Result<PermittedCollections> of(const KuzzleCall& call);
  bool contains(const std::string& index, const std::string& collection) const;

 private:
  std::optional<std::vector<Value>> policies_;  // that allow the action; nothing: all is allowed
};

// The rights that profiles give: one row for each controller, action and collection.
Result<Array> rights_of(const ServerContext& shared, const std::vector<std::string>& profile_ids);
// Empty if that user does not exist any more, also if there is a later user with its id.
Result<std::vector<std::string>> profiles_of(View& view, const Principal& principal);

}  // namespace mayfly::kuzzle
