// Records on the wire.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "db/rows/document.h"
#include "dialect/centrali/queries/names.h"
#include "dialect/centrali/structures/structure.h"

namespace mayfly::centrali {

// Clients see milliseconds; an instant between two is shown as the earlier.
Instant floor_millis(Instant t);
// 2026-02-27T11:00:00Z, with milliseconds only where there are some.
std::string render_time(Instant t);

// Which parts of records are shown; the id always is.
struct Selection {
  std::vector<Path> data;       // none within another
  std::vector<NamedField> own;  // fields of the record itself
  bool has_all_data = false;    // data as a whole
};

class Expansion;

struct RecordStyle {
  const Structure& structure;
  std::string_view workspace;
  const Selection* selection = nullptr;  // null: everything
  const Expansion* expansion = nullptr;  // null: references are shown as they are
};
void render_record(const Document& document, const RecordStyle& style, std::string& out);
// The same with further members at the end of the data, which `put` appends; it is told whether
// they are the first.
using PutMembers = std::function<void(bool is_first, std::string& out)>;
void render_record_with(const Document& document, const RecordStyle& style, const PutMembers& put,
                        std::string& out);

// What this dialect keeps beside a document: the record's metadata. Another dialect's facet gives
// missing.
Bytes encode_metadata(const Value& metadata);
std::string_view metadata_json(BytesView facet);  // empty where there is none

}  // namespace mayfly::centrali
