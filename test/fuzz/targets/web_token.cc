// Signed tokens of the Centrali dialect: one is accepted only if it was signed with the key and has
// not expired. One that names workspaces is accepted only for these.
//
// The input is a header and, after the first line feed, the claims.
#include "base/crypto/crypto.h"
#include "base/limits.h"
#include "dialect/centrali/requests/auth.h"
#include "fuzz.h"
#include "value/json/json.h"

namespace mayfly::fuzz {
namespace {

constexpr std::string_view key = "a key that no client knows";
constexpr Instant now = Instant::from_seconds(1'800'000'000);

std::string sign(std::string_view header, std::string_view claims) {
  const std::string text = encode_base64url(header) + "." + encode_base64url(claims);
  return text + "." + encode_base64url(hmac_sha256(key, text));
}

// A header that was signed is still judged: by what a reader of JSON takes it for.
void check_header(std::string_view header, std::string_view claims) {
  const std::string token = sign(header, claims);
  const auto verified = verify_jwt(token, key);
  CHECK(!verify_jwt(token, "another key").has_value());
  if (!verified) {
    CHECK(verified.error().code == Code::unauthenticated);
    return;
  }
  CHECK(*verified == claims && token.size() <= limits::token_bytes_max);
  const auto read = parse_json(header);
  // A number may be too great for us, which is no business of a header's reader.
  const bool has_great_number =
      !read && read.error().message.find("too great") != std::string::npos;
  if (has_great_number) return;
  CHECK(read.has_value() && read->is(Kind::object));
  const Value algorithm = read->member("alg");
  CHECK(algorithm.is(Kind::text) && algorithm.text() == "HS256");
  CHECK(read->member("crit").is_missing());
}

void check_claims(std::string_view claims, Random& random) {
  const auto token = sign_jwt(claims, key);
  if (!token) {
    CHECK(token.error().code == Code::too_large);
    return;
  }
  CHECK(verify_jwt(*token, key).value() == claims);
  std::string altered = *token;
  const std::size_t at = random.below(altered.size());
  altered[at] = "abcXYZ019-_=.+/ "[random.below(16)];
  CHECK(verify_jwt(altered, key).has_value() == (altered == *token));
}

Result<centrali::Principal> authenticate(std::string_view token, const std::string& workspace) {
  const Credentials credentials{.keys = {"another secret"}};
  const CentraliOptions options{.signing_key = std::string(key)};
  net::Request request;
  request.headers.emplace_back("authorization", "Bearer " + std::string(token));
  return centrali::authenticate(request, {credentials, options}, workspace, now);
}

void check_principal(std::string_view claims) {
  const auto token = sign_jwt(claims, key);
  if (!token) return;
  const auto principal = authenticate(*token, "acme");
  const auto read = parse_json(claims);
  const Value expires = read ? read->member("exp") : Value();
  const bool is_over =
      !expires.is_number() || expires.number() <= static_cast<double>(now.whole_seconds());
  if (is_over) CHECK(!principal && principal.error().code == Code::unauthenticated);
  if (!principal) return;
  CHECK(principal->name.size() <= limits::author_bytes_max);
  if (!principal->workspaces) return;
  const auto& names = *principal->workspaces;
  CHECK(std::find(names.begin(), names.end(), "acme") != names.end());
  CHECK(!authenticate(*token, "a workspace that nobody names").has_value());
}

}  // namespace

void run(BytesView input) {
  const std::size_t line = std::min(input.find('\n'), input.size());
  const BytesView header = input.substr(0, line);
  const BytesView claims = input.substr(std::min(line + 1, input.size()));
  // A text that was not signed is no token.
  CHECK(!verify_jwt(input, key).has_value());
  const std::size_t begin = std::min(input.find_first_not_of(' '), input.size());
  CHECK(authenticate(input, "acme").has_value() == (input.substr(begin) == "another secret"));
  check_header(header, claims);
  Random random(seed_of(input));
  check_claims(claims, random);
  check_principal(claims);
}

}  // namespace mayfly::fuzz
