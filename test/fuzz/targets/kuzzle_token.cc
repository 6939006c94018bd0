// Tokens of the Kuzzle dialect: only a token that was signed with the server's key is accepted,
// only for the user that its claims name, and only until it expires or is revoked. With a changed
// byte it is refused. The token of an API key is accepted only while the key is stored.
//
// The input is a header and, after the first line feed, the claims.
#include "base/crypto/crypto.h"
#include "base/limits.h"
#include "db/database.h"
#include "dialect/kuzzle/security/auth/api_keys.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/security/rows.h"
#include "dialect/kuzzle/security/store.h"
#include "fuzz.h"
#include "store/memory/memory_store.h"
#include "value/json/json.h"

namespace mayfly::fuzz {
namespace {

using namespace kuzzle;

constexpr std::string_view key = "a key that no client of it knows";
static_assert(key.size() == SigningKey::bytes);
constexpr std::string_view plain_header = R"({"alg":"HS256","typ":"JWT"})";
const std::string user = "eve";

// A server that has a key and one user.
struct World {
  ManualClock clock{Instant::from_seconds(1'800'000'000)};
  std::unique_ptr<Database> database = Database::open(store::open_memory(), clock).value();

  World() {
    keep(secrets, "jwt", Object{{"key", encode_base64url(key)}});
    keep(users, user, Object{{"profileIds", Array{"default"}}});
  }

  void keep(std::string_view collection, const std::string& id, const Object& body,
            const LifetimeChange& lifetime = Keep{}) {
    const CollectionPtr place = security_collection(*database, collection).value();
    const Bytes packed = pack(body).value();
    const auto kept = database->transact([&](Transaction& transaction) -> Result<void> {
      TRY(transaction.put(place, DocumentKey::of(id), packed, {.lifetime = lifetime}));
      return {};
    });
    CHECK(kept.has_value());
  }
  void remove(std::string_view collection, const std::string& id) {
    const CollectionPtr place = security_collection(*database, collection).value();
    const auto removed = database->transact([&](Transaction& transaction) -> Result<void> {
      return transaction.remove(place, DocumentKey::of(id), {.is_final = true});
    });
    CHECK(removed.has_value());
  }
};

std::string sign(std::string_view header, std::string_view claims, std::string_view with) {
  const std::string text = encode_base64url(header) + "." + encode_base64url(claims);
  return text + "." + encode_base64url(hmac_sha256(with, text));
}

// The user of a token; authentication with it gives the same.
Result<Token> verify(World& world, const std::string& token) {
  const auto known = verify_token(*world.database, token);
  Message message;
  message.token = token;
  const auto principal = authenticate(*world.database, message);
  if (token.empty()) {
    CHECK(principal.has_value() && principal->is_anonymous());
    return known;
  }
  CHECK(principal.has_value() == known.has_value());
  if (!known) return known;
  CHECK(principal->id == known->user_id && principal->token_ends_at == known->ends_at);
  CHECK(!principal->is_anonymous() && world.database->now() < known->ends_at);
  return known;
}

void check_refused(World& world, const std::string& token) {
  const auto known = verify(world, token);
  CHECK(!known.has_value() && known.error().code == Code::unauthenticated);
}

UserRef eve(World& world) {
  View view = world.database->view();
  return {user, find_security(view, users, user).value()->created_at};
}

// Whether claims are of the user that there is, and not of an earlier one of its id.
bool is_of_this_user(World& world, const Value& claims) {
  if (!claims.member("_id").is(Kind::text) || claims.member("_id").text() != user) return false;
  const Instant created_at = eve(world).created_at;
  const Value created = claims.member("userCreatedAt");
  if (created.is(Kind::integer)) return created.integer() == created_at.micros;
  const Value issued = claims.member("iat");
  return issued.is(Kind::integer) && created_at <= Instant::from_seconds(issued.integer());
}

// Which users signed claims authenticate: only the existing user, until they expire.
void check_signed(World& world, std::string_view header, std::string_view claims) {
  check_refused(world, sign(header, claims, "another key"));
  check_refused(world, sign(R"({"alg":"none"})", claims, key));
  check_refused(world, encode_base64url(header) + "." + encode_base64url(claims) + ".");
  // A login is no API key, and no text that was signed is the key of a document that is not there.
  CHECK(!verify(world, std::string(api_key_prefix) + sign(plain_header, claims, key)).has_value());
  const auto read = parse_json(claims);
  const Value id = read ? read->member("_id") : Value();
  const Value exp = read ? read->member("exp") : Value();
  const bool is_well_formed =
      id.is(Kind::text) && exp.is(Kind::integer) && read->member(api_key_claim).is_missing();
  const bool is_let_in = is_well_formed && is_of_this_user(world, *read) &&
                         world.database->now() < Instant::from_seconds(exp.integer());
  const std::string token = sign(plain_header, claims, key);
  const auto known = verify(world, token);
  CHECK(known.has_value() == (is_let_in && token.size() <= limits::token_bytes_max));
  if (known) CHECK(known->ends_at == Instant::from_seconds(exp.integer()));
  // A user whose name cannot be a document id does not exist, even if a token for it is signed.
  const bool is_name = is_well_formed && check(DocumentKey::of(id.text())).has_value();
  if (!known && (is_name || !is_well_formed)) CHECK(known.error().code == Code::unauthenticated);
  // The header only ever takes away.
  if (verify(world, sign(header, claims, key))) CHECK(is_let_in);
}

// A token that was given out, and what others make of it.
void check_issued(World& world, BytesView input) {
  Random random(seed_of(input));
  const Instant now = world.database->now();
  const Span for_time{static_cast<std::int64_t>(1 + random.below(86'400'000'000))};
  const Issued issued = issue_token(*world.database, eve(world), for_time).value();
  const auto known = verify(world, issued.text);
  CHECK(known && known->user_id == user && known->ends_at == issued.ends_at);
  CHECK(issued.ends_at >= now + for_time && issued.ends_at < now + for_time + Span::seconds(1));
  std::string changed = issued.text;
  changed[random.below(changed.size())] ^= static_cast<char>(1 + random.below(255));
  check_refused(world, changed);
  check_refused(world, issued.text.substr(0, random.below(issued.text.size())));
  if (!input.empty()) check_refused(world, issued.text + Bytes(input));
  // Other claims under its signature.
  const std::size_t begin = issued.text.find('.') + 1;
  const std::size_t end = issued.text.rfind('.');
  const std::string other_claims = encode_base64url(input);
  if (other_claims != issued.text.substr(begin, end - begin)) {
    check_refused(world, issued.text.substr(0, begin) + other_claims + issued.text.substr(end));
  }
}

// The token of a key that is kept as a document which dies: that, and no other of its claims.
void check_api_key(World& world, BytesView input) {
  const Instant death = world.database->now() + Span::seconds(30);
  const auto token_of = [](std::string_view other) {
    const Object claims{{"_id", user}, {std::string(api_key_claim), "k1"}, {"jti", other}};
    return sign(plain_header, render_json(claims), key);
  };
  const std::string bare = token_of("one");
  const std::string token = std::string(api_key_prefix) + bare;
  const Object body{{"userId", user}, {"fingerprint", encode_hex(sha256(token))}};
  world.keep(api_keys, "k1", body, Lifetime{At{death}});
  world.keep(api_keys, "k2", body);  // is of another name than its token says
  const auto known = verify(world, token);
  CHECK(known && known->user_id == user && known->is_api_key && known->ends_at == death);
  check_refused(world, bare);
  check_refused(world, std::string(api_key_prefix) + token_of("two"));
  Random random(seed_of(input));
  std::string changed = token;
  changed[random.below(changed.size())] ^= static_cast<char>(1 + random.below(255));
  check_refused(world, changed);
  if (random.below(2) == 0) {
    world.remove(api_keys, "k1");
  } else {
    world.clock.set(death);
  }
  check_refused(world, token);
}

// Given back it counts no more, whatever others do; and the rest end at their time.
void check_ends(World& world) {
  const Span for_time = Span::seconds(60);
  const Issued given_back = issue_token(*world.database, eve(world), for_time).value();
  const Issued kept = issue_token(*world.database, eve(world), for_time).value();
  CHECK(given_back.text != kept.text);
  CHECK(end_token(*world.database, given_back.text).has_value());
  check_refused(world, given_back.text);
  CHECK(!end_token(*world.database, given_back.text).has_value());
  world.clock.set(kept.ends_at - Span{1});
  CHECK(verify(world, kept.text).has_value());
  check_refused(world, given_back.text);
  world.clock.set(kept.ends_at);
  check_refused(world, kept.text);
  check_refused(world, given_back.text);
}

}  // namespace

void run(BytesView input) {
  World world;
  // A text that was not signed is no token.
  check_refused(world, Bytes(input));
  const std::size_t line = std::min(input.find('\n'), input.size());
  check_signed(world, input.substr(0, line), input.substr(std::min(line + 1, input.size())));
  check_issued(world, input);
  check_api_key(world, input);
  check_ends(world);
}

}  // namespace mayfly::fuzz
