// Hashes of partition keys.
#include <vector>

#include "expr/functions/families.h"
#include "value/hashing/key_hash.h"

namespace mayfly {
namespace {

constexpr std::size_t components_max = 3;

std::optional<KeyHashVersion> version_of(const Value& number) {
  const auto whole = whole_number(number);
  if (whole == 1) return KeyHashVersion::v1;
  if (whole == 2) return KeyHashVersion::v2;
  return std::nullopt;
}

Result<Value> key_hash_of(const Arguments& a) {
  const auto version = version_of(a[0]);
  if (!version) return Value();
  std::vector<Value> components;
  for (std::size_t i = 1; i < a.size(); ++i) components.push_back(a[i]);
  return Value(key_hash(*version, components));
}

}  // namespace

std::span<const Function> hashing_functions() {
  static const Function table[] = {
      n_ary("key_hash", 2, 1 + components_max,
            "The place of a key of one value, or of several values, among all keys: a hash that "
            "spreads them evenly, as hexadecimal text. The first argument is the version, 1 or 2; "
            "version 1 is of the first value only.",
            key_hash_of,
            {{R"(2, "a")", R"("3A5381E1114EB8D3FCC90795045B49B7")"},
             {R"(1, "a")", R"("05C1D78593652C086200")"},
             {"2, 1", R"("20CD98B339BA78A5D0CF6953B87070B0")"},
             {"2, 1.0", R"("20CD98B339BA78A5D0CF6953B87070B0")"},
             {"2, -0.0", R"("155B95BEDAC4B1E9EC1CDC9BB0DDDE58")"},
             {"2, missing", R"("11622DAA78F835834610ABE56EFF5CB5")"},
             {"2, []", R"("11622DAA78F835834610ABE56EFF5CB5")"},
             {"2, null, true",
              R"("378867E4430E67857ACE5C908374FE160E711127C5B5A8E4726AC6DD306A3E59")"},
             {R"(3, "a")", "missing"}}),
  };
  return table;
}

}  // namespace mayfly
