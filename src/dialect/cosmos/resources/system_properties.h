// The properties that the service adds to whatever it tells: _rid, _self, _etag, _ts, and of a
// document _attachments. They are facts of a version and never stored. Source: spec cosmos.md,
// section 1.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/clock.h"

namespace mayfly::cosmos {

struct SystemProperties {
  BytesView rid;
  std::string_view self;
  Instant changed_at;
  std::string_view attachments = {};  // where those of a document lie; empty: it is none
};

// Appends them as further members, in the order that the service has:
// `,"_rid":…,"_self":…,"_etag":…,"_attachments":…,"_ts":…`.
void render_system_properties(const SystemProperties& properties, std::string& out);

// The tag of what was last changed at that instant, with its quotes.
std::string etag_of(Instant changed_at);
// With or without quotes. Nothing where it is no tag of ours: then no version has it.
std::optional<Instant> parse_etag(std::string_view etag);
// Whether an If-Match header, which may be empty, lets what was changed last then be changed.
bool is_met(std::string_view if_match, Instant changed_at);

}  // namespace mayfly::cosmos
