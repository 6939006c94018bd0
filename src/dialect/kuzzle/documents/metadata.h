// The metadata that Kuzzle shows of a document beside its body. It is rendered from what the core
// keeps. Only metadata from a bulk write is stored, in the member of the body with this name: an
// object that is shown unchanged, or null if the bulk write had none and none is shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "db/rows/document.h"
#include "dialect/kuzzle/generations/generation.h"
#include "value/json/writer.h"

namespace mayfly::kuzzle {

inline constexpr std::string_view metadata_field = "_kuzzle_info";

// Milliseconds since 1970, rounded down.
std::int64_t to_millis(Instant t);
// The whole millisecond at or before `t`, as clients see it.
Instant floor_millis(Instant t);
// The metadata stored by a bulk write, an object or null; missing if no bulk write wrote the
// document.
Value stored_metadata(const Document& document);
// The metadata to show: stored metadata, or else the core's. Nothing if null is stored.
std::optional<Object> metadata_of(const Document& document);
// The same; version 1 also says whether and when the document was put into the trashcan.
std::optional<Object> metadata_of(const Document& document, const Generation& generation);

// Removes the metadata of a bulk write from a body and returns it, so that an update does not
// change it; missing if there is none.
Value take_stored_metadata(Value& body);
// Puts it back, with the update recorded in it: null becomes an object, missing stays missing.
struct Update {
  Instant at;
  std::string_view by;
};
void restore_stored_metadata(Value& body, Value metadata, const Update& update);

// These append members.
void render_id_and_version(const Document& document, JsonWriter& json);
void render_source(const Document& document, const Generation& generation, JsonWriter& json,
                   std::string_view name = "_source");
// The same for a filtered body: an object.
void render_source(Value body, const Document& document, const Generation& generation,
                   JsonWriter& json, std::string_view name = "_source");
// `_meta`, if the generation has it.
void render_meta(const Document& document, const Generation& generation, JsonWriter& json);
// All of them.
void render_document(const Document& document, const Generation& generation, JsonWriter& json);
// An object with all of them.
std::string render_whole(const Document& document, const Generation& generation);

}  // namespace mayfly::kuzzle
