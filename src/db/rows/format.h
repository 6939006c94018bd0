// The format that a store of Mayfly records in its own rows. REACHES DISK. A store of another
// format is refused.
#pragma once

#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "store/store.h"

namespace mayfly {

inline constexpr std::string_view format_name = "mayfly 4";
// The first format lacks the entries that have left the indexes, the first two the ledgers of ends,
// all of them logged ends.
// Versions that write these formats would not maintain those rows, so the first start of this
// version changes the recorded format before anything else.
inline constexpr std::string_view formats_before[] = {"mayfly 1", "mayfly 2", "mayfly 3"};

enum class Format { none, before, current };
// The format that the row contains. Fails with invalid for a format that this version does not
// read.
Result<Format> decode_format(BytesView said);
// `none`: nothing was ever committed. Fails as decode_format(), and with corrupt if there are rows
// and no format.
Result<Format> read_format(store::Store& store);

}  // namespace mayfly
