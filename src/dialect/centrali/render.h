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

// Rounds down to milliseconds, which is what clients see.
Instant floor_millis(Instant t);
// 2026-02-27T11:00:00Z, with milliseconds only if they are not 0.
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
// The same with further members at the end of the data, which `put` appends.
using PutMembers = std::function<void(std::string& out)>;
void render_record_with(const Document& document, const RecordStyle& style, const PutMembers& put,
                        std::string& out);

// The facet of this dialect: the record's metadata. The facet of another dialect has none.
Bytes encode_metadata(const Value& metadata);
std::string_view metadata_json(BytesView facet);  // empty where there is none

}  // namespace mayfly::centrali
