#include "dialect/kuzzle/security/own_rows.h"

#include "base/crypto.h"

namespace mayfly::kuzzle {

Result<Password> Password::decode(const Document& document) {
  const Value user = document.body.member("kuid"), hash = document.body.member("hash");
  if (!user.is(Kind::text)) return not_as_written("kuid");
  // Whose hash is damaged cannot log in, but is found: to be given another, or to be removed.
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
