#include "dialect/kuzzle/security/rows.h"

#include "base/crypto/crypto.h"

namespace mayfly::kuzzle {
namespace {

bool is_left_out(const Value& value) {
  return value.is_missing() || value.is_null();
}

template <class Row>
Result<PrivateTable<Row>> table_with_built_in(Database& database) {
  const auto table = TRY(PrivateTable<Row>::ensure(database));
  bool is_whole = true;
  for (const std::string_view name : built_in) {
    const DocumentKey key = DocumentKey::of(std::string(name));
    is_whole = is_whole && TRY(database.get(table.collection(), key)).has_value();
  }
  if (is_whole) return table;
  TRY(database.transact([&](Transaction& transaction) -> Result<void> {
    for (const std::string_view name : built_in) {
      const std::string id(name);
      const auto put = table.put(transaction, DocumentKey::of(id), Row::initial(id),
                                 {.expect = PutOptions::Expect::absent});
      if (!put && put.error().code != Code::exists) return tl::unexpected(put.error());
    }
    return {};
  }));
  return table;
}

}  // namespace

template <>
Result<PrivateTable<Profile>> ensure_security_table<Profile>(Database& database) {
  return table_with_built_in<Profile>(database);
}
template <>
Result<PrivateTable<Role>> ensure_security_table<Role>(Database& database) {
  return table_with_built_in<Role>(database);
}

Result<User> User::decode(const Document& document) {
  const Value ids = document.body.member("profileIds");
  User user{document, {}};
  if (is_left_out(ids)) return user;
  if (!ids.is(Kind::array)) return not_as_written("profileIds");
  for (const Value& id : ids.array()) {
    if (id.is(Kind::text)) user.profile_ids.push_back(id.text());
  }
  return user;
}

Result<Profile> Profile::decode(const Document& document) {
  const Value policies = document.body.member("policies");
  if (is_left_out(policies)) return Profile{document, {}};
  if (!policies.is(Kind::array)) return not_as_written("policies");
  return Profile{document, policies.array()};
}

Profile Profile::initial(const std::string& id) {
  return {{}, Array{Object{{"roleId", id}}}};
}

Result<Role> Role::decode(const Document& document) {
  const Value controllers = document.body.member("controllers");
  if (is_left_out(controllers)) return Role{document, {}};
  if (!controllers.is(Kind::object)) return not_as_written("controllers");
  return Role{document, controllers.object()};
}

Role Role::initial(const std::string&) {
  return {{}, Object{{"*", Object{{"actions", Object{{"*", true}}}}}}};
}

Result<ApiKey> ApiKey::decode(const Document& document) {
  const Value content = document.body.unpack();
  const Value user = content.member("userId"), fingerprint = content.member("fingerprint");
  if (!user.is(Kind::text)) return not_as_written("userId");
  if (!fingerprint.is(Kind::text)) return not_as_written("fingerprint");
  const auto* ends = std::get_if<At>(&document.version.lifetime);
  return ApiKey{std::string(document.id), user.text(), fingerprint.text(), content.object(),
                ends == nullptr ? Instant::never() : ends->instant};
}

Result<EndedToken> EndedToken::decode(const Document& document) {
  const Value user = document.body.member("kuid");
  const Value until = document.body.member("issuedUntil");
  // It is revoked, whichever user it belonged to.
  EndedToken ended{user.is(Kind::text) ? user.text() : ""};
  if (until.is(Kind::integer)) ended.issued_until = Instant{} + Span{until.integer()};
  return ended;
}

Result<Value> EndedToken::encode() const {
  Object body{{"kuid", user_id}};
  if (issued_until) body.append("issuedUntil", issued_until->micros);
  return Value(std::move(body));
}

Result<Password> Password::decode(const Document& document) {
  const Value user = document.body.member("kuid"), hash = document.body.member("hash");
  if (!user.is(Kind::text)) return not_as_written("kuid");
  // A user with a damaged hash cannot log in, but is found, so that the password can be replaced or
  // removed.
  return Password{std::string(document.id), user.text(), hash.is(Kind::text) ? hash.text() : ""};
}

Result<SigningKey> SigningKey::decode(const Document& document) {
  const Value key = document.body.member("key");
  if (!key.is(Kind::text)) return not_as_written("key");
  Bytes decoded = TRY(decode_base64url(key.text()));
  if (decoded.size() < SigningKey::bytes) return not_as_written("key");
  return SigningKey{std::move(decoded)};
}

Result<Value> SigningKey::encode() const {
  return Value(Object{{"key", encode_base64url(key)}});
}

Result<AutoRefresh> AutoRefresh::decode(const Document& document) {
  const Value index = document.body.member("of"), is_on = document.body.member("autoRefresh");
  if (!index.is(Kind::integer)) return not_as_written("of");
  if (!is_on.is(Kind::boolean)) return not_as_written("autoRefresh");
  return AutoRefresh{index.integer(), is_on.boolean()};
}

}  // namespace mayfly::kuzzle
