#include "dialect/centrali/requests/auth.h"

#include <algorithm>

#include "base/crypto/crypto.h"
#include "base/limits.h"
#include "dialect/centrali/errors.h"
#include "dialect/centrali/limits.h"
#include "net/router.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

constexpr std::int64_t token_seconds = 3'600;
constexpr std::ptrdiff_t parameters_max = limits::token_parameters_max;

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// The part after the scheme's name in an authorization header; empty if it is another scheme.
std::string_view credential_of(std::string_view header, std::string_view scheme) {
  const std::size_t space = header.find(' ');
  if (space == std::string_view::npos) return {};
  if (!equals_ignoring_case(header.substr(0, space), scheme)) return {};
  header.remove_prefix(std::min(header.find_first_not_of(' ', space), header.size()));
  return header;
}

// Fails with stale if the token has expired.
Result<Principal> principal_of_token(std::string_view token, const Secrets& secrets, Instant now) {
  const Value claims = TRY(parse_json(TRY(verify_jwt(token, secrets.own.signing_key))));
  const Value expires = claims.member("exp");
  if (!expires.is_number() || expires.number() <= static_cast<double>(now.whole_seconds())) {
    return fail(Code::stale, "the token has expired");
  }
  Principal principal;
  principal.until = Instant::from_seconds(static_cast<std::int64_t>(
      std::min(expires.number(), static_cast<double>(limits::instant_max.whole_seconds()))));
  if (const Value subject = claims.member("sub"); subject.is(Kind::text)) {
    principal.name = subject.text().substr(0, limits::author_bytes_max);
  }
  if (const Value workspaces = claims.member("workspaces"); workspaces.is(Kind::array)) {
    principal.workspaces.emplace();
    for (const Value& name : workspaces.array()) {
      if (name.is(Kind::text)) principal.workspaces->push_back(name.text());
    }
  }
  return principal;
}

tl::unexpected<TokenRefusal> refuse_token(std::string_view stream_code, Code code,
                                          std::string message) {
  return tl::unexpected(TokenRefusal{{code, std::move(message)}, stream_code});
}

using Client = CentraliOptions::Client;

// RFC 6749 lets a client name itself in the form or by HTTP Basic.
Client client_of(const net::Request& request, const net::Request& form) {
  Client client;
  if (const std::string* id = form.parameter("client_id")) client.id = *id;
  if (const std::string* secret = form.parameter("client_secret")) client.secret = *secret;
  const std::string* header = request.header("authorization");
  if (header == nullptr || !client.id.empty()) return client;
  const auto decoded = decode_base64(credential_of(*header, "Basic"));
  const std::size_t colon = decoded ? decoded->find(':') : std::string::npos;
  if (colon == std::string::npos) return client;
  return {decoded->substr(0, colon), decoded->substr(colon + 1)};
}

bool accepts_client(const Secrets& secrets, const Client& client) {
  if (client.id.empty() || client.secret.empty()) return false;
  return secrets.server.is_open() || secrets.own.has_client(client.id, client.secret);
}

}  // namespace

std::string_view token_of(const net::Request& request) {
  if (const std::string* header = request.header("authorization")) {
    return credential_of(*header, "Bearer");
  }
  const std::string* key = request.header("x-api-key");
  return key == nullptr ? std::string_view() : std::string_view(*key);
}

Result<Principal> authenticate(const net::Request& request, const Secrets& secrets,
                               const std::string& workspace, Instant now) {
  auto known = authenticate_token(token_of(request), secrets, workspace, now);
  if (known) return *std::move(known);
  return tl::unexpected(std::move(known.error().error));
}

tl::expected<Principal, TokenRefusal> authenticate_token(std::string_view token,
                                                         const Secrets& secrets,
                                                         const std::string& workspace,
                                                         Instant now) {
  if (token.empty()) {
    return refuse_token("MISSING_TOKEN", Code::unauthenticated,
                        "send an API key or a token as 'Authorization: Bearer …', or a publishable "
                        "key as 'x-api-key'");
  }
  if (secrets.server.has_key(token)) return Principal{};
  auto principal = principal_of_token(token, secrets, now);
  if (!principal) {
    if (secrets.server.is_open()) return Principal{};
    if (principal.error().code == Code::stale) {
      return refuse_token("TOKEN_EXPIRED", Code::unauthenticated, "the token has expired");
    }
    return refuse_token("INVALID_TOKEN", Code::unauthenticated, "the key or token is not valid");
  }
  const auto& allowed = principal->workspaces;
  if (allowed && std::find(allowed->begin(), allowed->end(), workspace) == allowed->end()) {
    return refuse_token("WORKSPACE_MISMATCH", Code::forbidden,
                        "the token is not for the workspace '" + workspace + "'");
  }
  return *std::move(principal);
}

net::Response refuse_token_body(std::string_view request_id) {
  return render_token_error(413, "invalid_request",
                            "the body of a request for a token has at most " +
                                std::to_string(limits::token_request_bytes_max) + " bytes",
                            request_id);
}

net::Response issue_token(const net::Request& request, const Secrets& secrets, Instant now,
                          std::string_view request_id) {
  if (request.body.size() > limits::token_request_bytes_max) {
    return refuse_token_body(request_id);
  }
  if (std::count(request.body.begin(), request.body.end(), '&') >= parameters_max) {
    return render_token_error(
        400, "invalid_request",
        "the form has at most " + std::to_string(parameters_max) + " parameters", request_id);
  }
  net::Request form;
  if (auto decoded = net::decode_form(request.body)) {
    form.parameters = std::move(*decoded);
  } else {
    return render_token_error(400, "invalid_request", decoded.error().message, request_id);
  }
  const std::string* grant = form.parameter("grant_type");
  if (grant == nullptr || *grant != "client_credentials") {
    return render_token_error(400, "unsupported_grant_type",
                              "grant_type must be client_credentials", request_id);
  }
  if (!secrets.server.is_open() && secrets.own.clients.empty()) {
    return render_token_error(401, "invalid_client",
                              "the server has no service accounts: set centrali.clients, or send "
                              "one of auth.keys as the bearer",
                              request_id);
  }
  const Client client = client_of(request, form);
  if (!accepts_client(secrets, client)) {
    return render_token_error(401, "invalid_client", "the client's id or secret is wrong",
                              request_id);
  }
  const std::string* asked = form.parameter("scope");
  const std::string scope = asked == nullptr ? "openid" : *asked;
  const std::int64_t issued_at = now.whole_seconds();
  const Object claims{
      {"sub", client.id}, {"scope", scope}, {"iat", issued_at}, {"exp", issued_at + token_seconds}};
  const auto token = sign_jwt(render_json(claims), secrets.own.signing_key);
  if (!token) return render_error(token.error(), {}, request_id);
  net::Response response;
  render_json(Object{{"access_token", *token},
                     {"token_type", "Bearer"},
                     {"expires_in", token_seconds},
                     {"scope", scope}},
              response.body);
  response.headers.emplace_back("cache-control", "no-store");
  return response;
}

}  // namespace mayfly::centrali
