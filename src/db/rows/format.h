// What a store of ours says of itself. REACHES DISK. A store of another format is refused.
#pragma once

#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "store/store.h"

namespace mayfly {

inline constexpr std::string_view format_name = "mayfly 3";
// The first lacks what has left the indexes, both lack the ledgers of ends. A version that writes
// them would not keep those, so the first start of this one renames them before anything else.
inline constexpr std::string_view formats_before[] = {"mayfly 1", "mayfly 2"};

enum class Format { none, before, current };
// What its row says. Fails with invalid for a format that this version does not read.
Result<Format> decode_format(BytesView said);
// `none`: nothing was ever committed. Fails as decode_format(), and with corrupt where there are
// rows and no format.
Result<Format> read_format(store::Store& store);

}  // namespace mayfly
