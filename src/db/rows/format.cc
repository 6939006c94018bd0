#include "db/rows/format.h"

#include <algorithm>
#include <string>

#include "db/rows/keys.h"

namespace mayfly {

Result<Format> decode_format(BytesView said) {
  if (said == format_name) return Format::current;
  if (std::ranges::count(formats_before, said) > 0) return Format::before;
  return fail(Code::invalid,
              "the data directory holds the format '" + std::string(said) +
                  "', which this version does not read",
              "data");
}

Result<Format> read_format(store::Store& store) {
  Bytes said;
  if (TRY(store.get(keys::format(), said, nullptr)) != 0) return decode_format(said);
  if (store.applied() != 0) return fail(Code::corrupt, "the data directory is not Mayfly's");
  return Format::none;
}

}  // namespace mayfly
