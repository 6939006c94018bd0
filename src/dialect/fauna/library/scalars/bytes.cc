// Bytes, and their base64 form.
#include "base/crypto/crypto.h"
#include "dialect/fauna/library/family.h"
#include "dialect/fauna/run/weight.h"

namespace mayfly::fauna {
namespace {

Result<FqlValue> bytes_of_text(Run& run, const FqlValue&, const Arguments& a) {
  TRY(run.check_text(a[0].text().size()));
  TRY(step_bytes(run, a[0].text().size()));
  auto bytes = decode_base64(a[0].text());
  if (bytes) return FqlValue(ByteText{std::move(*bytes)});
  return run.fail_argument("encoded", "invalid base64 encoding");
}

Result<FqlValue> bytes_to_text(Run& run, const FqlValue& self, const Arguments&) {
  TRY(step_bytes(run, self.bytes().size()));
  TRY(run.check_text(self.bytes().size() / 3 * 4 + 4));
  return FqlValue(encode_base64(self.bytes()));
}

}  // namespace

std::span<const Method> bytes_methods() {
  static const Method table[] = {
      {"", "Bytes", "(encoded: String) => Bytes", "The bytes that a text in base64 writes.",
       R"(Bytes("AQID"))", R"(Bytes("AQID"))", bytes_of_text},
      {"Bytes", "fromBase64", "(encoded: String) => Bytes", "As `Bytes()`.",
       R"(Bytes.fromBase64("AQID"))", R"(Bytes("AQID"))", bytes_of_text, Effect::pure, true},
      {"Bytes", "toBase64", "() => String", "Its bytes in base64.", R"(Bytes("AQID").toBase64())",
       R"("AQID")", bytes_to_text},
  };
  return table;
}

}  // namespace mayfly::fauna
