// Who asks, and whether he may: tokens to users, users by their profiles to roles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {

// A token that was given out, as far as it counts still.
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
// The claim that says when a token was given out, in microseconds.
inline constexpr std::string_view issued_claim = "issuedAt";
// The claim of a token that counts for one request.
inline constexpr std::string_view single_use_claim = "singleUse";
// The longest time that a login lasts.
inline constexpr Span login_for_max = Span::seconds(366 * 86'400);
// Fails with unauthenticated, in Kuzzle's words: not ours, ended, or given back.
Result<Token> verify_token(Database& database, const std::string& token);
// `{_id, jwt, expiresAt, ttl}`: the answer to a login.
struct Issued {
  std::string text;
  Instant ends_at;
  Span for_time;
};
enum class TokenUse : std::uint8_t { many, single };
// It gives no rights as a later user of the same id.
Result<Issued> issue_token(Database& database, const UserRef& user, Span for_time,
                           TokenUse use = TokenUse::many);
// A token for a single use counts no more. Fails with unauthenticated where another request has
// used it.
Result<void> use_up_token(Database& database, const std::string& token);
// It counts no more. Not of an API key.
Result<void> end_token(Database& database, const std::string& token);

// No login of the user that was given out so far counts any more. Not of its API keys.
Result<void> end_all_tokens(Database& database, const std::string& user_id);

// What a client without a login may do, as far as what guards the port depends on it.
enum class AnonymousRights : std::uint8_t {
  restricted,  // no more than security:createFirstAdmin leaves it with `reset`
  some,        // further actions, which a role names
  all,         // every action that no role names, as the role begins
};
// As the profile `anonymous` and its roles say.
Result<AnonymousRights> named_anonymous_rights(View& view);
// As they count: with auth.keys nothing counts before there is an administrator, and never `all`;
// nor where other machines reach the port.
Result<AnonymousRights> anonymous_rights(const Shared& shared);

// The key that tokens are signed with, kept so that they outlive the process; made where there is
// none. Fails with corrupt where it cannot be read: nothing is signed then.
Result<Bytes> make_signing_key(Database& database);

// The user of a request's token; without one, the anonymous.
Result<Principal> authenticate(const Shared& shared, const Message& message);
// The same, where the server's key is no token.
Result<Principal> authenticate(Database& database, const Message& message);
// Fails as Kuzzle does, with forbidden, where the user may not.
Result<void> authorize(const Shared& shared, const Principal& principal, const Message& message);
// The same of who asks.
Result<void> authorize(const Call& call, const Message& message);

// Whether a role as it is kept allows that action.
bool role_allows(const Value& role, const std::string& controller, const std::string& action);

// The places in which the caller may do what the request asks, for an action that shows many of
// them. authorize() has let the request in.
class PermittedPlaces {
 public:
  static Result<PermittedPlaces> of(const Call& call);
  bool contains(const std::string& index, const std::string& collection) const;

 private:
  std::optional<std::vector<Value>> policies_;  // that allow the action; none: all is allowed
};

// The rights that profiles give, one row each controller, action and place.
Result<Array> rights_of(const Shared& shared, const std::vector<std::string>& profile_ids);
// None where that user is not there any more, also where there is a later user of its id.
Result<std::vector<std::string>> profiles_of(View& view, const Principal& principal);

}  // namespace mayfly::kuzzle
