// The properties that the service adds to every resource: _rid, _self, _etag, _ts, and for a
// document _attachments. They are derived from a version and never stored. Source: spec cosmos.md,
// section 1.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/clock.h"
#include "value/json/writer.h"

namespace mayfly::cosmos {

struct SystemProperties {
  BytesView rid;
  std::string_view self;
  Instant changed_at;
  std::string_view attachments = {};  // the path of a document's attachments; empty: no document
};

// Appends them as members, in the order of the service:
// "_rid":…,"_self":…,"_etag":…,"_attachments":…,"_ts":…
void render_system_properties(const SystemProperties& properties, JsonWriter& json);

// The tag of a resource last changed at that instant, with quotes.
std::string etag_of(Instant changed_at);
// Parses a tag with or without quotes. Nothing if this server cannot have made it: then no version
// has it.
std::optional<Instant> parse_etag(std::string_view etag);
// Whether an If-Match header, which may be empty, allows changing a resource last changed at that
// instant.
bool is_met(std::string_view if_match, Instant changed_at);

}  // namespace mayfly::cosmos
