#include "dialect/cosmos/requests/auth.h"

#include <algorithm>
#include <array>

#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/resources/rid.h"
#include "net/router.h"

namespace mayfly::cosmos {

const std::string_view well_known_key =
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

namespace {

struct Token {
  std::string type;
  std::string signature;
};

Error not_signed(std::string message) {
  return {Code::unauthenticated, std::move(message), "authorization"};
}

Error malformed() {
  return not_signed(
      "Authorization header doesn't confirm to the required format. Please verify and try again.");
}

Error wrongly_signed() {
  return not_signed(
      "The input authorization token can't serve the request. The wrong key is being used or the "
      "expected payload is not built as per the protocol.");
}

// type=master&ver=1.0&sig=…, percent-encoded as a whole; a signature may contain '='.
Result<Token> parse_token(std::string_view header) {
  auto decoded = net::decode_percent(header);
  if (!decoded) return tl::unexpected(malformed());
  Token token;
  std::string_view rest = *decoded;
  while (!rest.empty()) {
    const std::size_t end = rest.find('&');
    const std::string_view pair = rest.substr(0, end);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) return tl::unexpected(malformed());
    const std::string_view name = pair.substr(0, equals);
    if (name == "type") token.type = pair.substr(equals + 1);
    if (name == "sig") token.signature = pair.substr(equals + 1);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return token;
}

// The links that clients may have signed: the path of names, or the rid alone; for media the rid of
// its attachment.
std::array<std::string, 2> links_of(const Address& address) {
  const std::string path = address.link();
  if (address.kind == ResourceKind::media && !address.is_feed) {
    const auto attachment = attachment_of_media(address.parts.back().name);
    return {path, attachment ? to_lower(render_rid(*attachment)) : path};
  }
  const std::string rid = address.parts.empty() ? "" : to_lower(address.parts.back().name);
  return {path, rid};
}

// The types that clients may have signed: for the removal of a partition, its own or the
// container's.
std::array<std::string_view, 2> types_of(const Address& address) {
  const std::string_view type = row_of(address.kind).segment;
  return {address.is_partition_removal ? "partitionkey" : type, type};
}

// The decoded key; empty if it is not base64.
Bytes raw_key(std::string_view key) {
  return decode_base64(key).value_or(Bytes());
}

Error no_account_key() {
  return not_signed(
      "The server has keys (auth.keys), but the account has none: set cosmos.key. The well-known "
      "emulator key is refused.");
}

std::optional<HmacKey> usable(std::string_view key) {
  const Bytes raw = raw_key(key);
  if (raw.empty()) return std::nullopt;
  return HmacKey(raw);
}

bool is_signed_with(const std::optional<HmacKey>& key, BytesView signature,
                    const net::Request& request, const Address& address) {
  if (!key) return false;
  const std::string* date = request.header("x-ms-date");
  const std::string* other = request.header("date");
  const std::string_view dates[] = {
      date != nullptr ? *date : std::string_view(),
      date == nullptr && other != nullptr ? *other : std::string_view()};
  const auto types = types_of(address);
  for (const std::string& link : links_of(address)) {
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (i > 0 && types[i] == types[i - 1]) continue;
      if (key->has_signed(text_to_sign(request.method, types[i], link, dates[0], dates[1]),
                          signature)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::string text_to_sign(std::string_view method, std::string_view type, std::string_view link,
                         std::string_view date, std::string_view other_date) {
  std::string text = to_lower(method);
  for (const std::string& line :
       {std::string(type), std::string(link), to_lower(date), to_lower(other_date)}) {
    text += '\n';
    text += line;
  }
  return text += '\n';
}

AccountKeys::AccountKeys(const Credentials& server, const CosmosOptions& own)
    : lacks_key_(own.key.empty() && !server.is_open()),
      has_well_known_key_(own.key.empty() && server.is_open()),
      key_(usable(has_well_known_key_ ? well_known_key : own.key)),
      read_key_(usable(own.read_key)) {
  constexpr std::string_view label = "mayfly cosmos resource tokens 1";
  const Bytes raw = raw_key(has_well_known_key_ ? well_known_key : own.key);
  if (!raw.empty()) resource_token_key_ = hmac_sha256(raw, label);
}

Result<Principal> AccountKeys::authenticate(const net::Request& request,
                                            const Address& address) const {
  const std::string* header = request.header("authorization");
  if (header == nullptr || header->empty()) {
    return tl::unexpected(not_signed(
        "Required Header authorization is missing. Ensure a valid Authorization token is "
        "passed."));
  }
  const Token token = TRY(parse_token(*header));
  if (token.type == "resource" && lacks_key_) return tl::unexpected(no_account_key());
  if (token.type == "resource")
    return Principal{.may_write = true, .resource_token = token.signature};
  if (token.type != "master") return tl::unexpected(wrongly_signed());
  const auto signature = decode_base64(token.signature);
  if (!signature) return tl::unexpected(wrongly_signed());
  if (is_signed_with(key_, *signature, request, address)) return Principal{};
  if (is_signed_with(read_key_, *signature, request, address)) {
    return Principal{.may_write = false};
  }
  return tl::unexpected(lacks_key_ ? no_account_key() : wrongly_signed());
}

bool AccountKeys::has_signed(const net::Request& request, const Address& address) const {
  const auto principal = authenticate(request, address);
  return principal && !principal->resource_token;
}

}  // namespace mayfly::cosmos
