// Records on the wire.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "db/document.h"
#include "dialect/centrali/names.h"
#include "dialect/centrali/structures/structure.h"

namespace mayfly::centrali {

// Clients see milliseconds; an instant between two is shown as the earlier.
Instant floor_millis(Instant t);
// 2026-02-27T11:00:00Z, with milliseconds only where there are some.
std::string render_time(Instant t);

// Which parts of records are shown; the id always is.
struct Selection {
  std::vector<NamedField> fields;
  bool has_all_data = false;  // data as a whole
};

struct RecordStyle {
  const Structure& structure;
  std::string_view workspace;
  const Selection* selection = nullptr;  // null: everything
};
void render_record(const Document& document, const RecordStyle& style, std::string& out);

// What this dialect keeps beside a document: the record's metadata. Another dialect's facet gives
// missing.
Bytes encode_metadata(const Value& metadata);
std::string_view metadata_json(BytesView facet);  // empty where there is none

}  // namespace mayfly::centrali
