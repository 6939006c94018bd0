// What Kuzzle tells of a document beside its body: rendered out of what the core keeps. Only what a
// bulk write has said of it is stored, in the body's own member of that name.
#pragma once

#include <string>

#include "db/document.h"
#include "dialect/kuzzle/message.h"

namespace mayfly::kuzzle {

inline constexpr std::string_view metadata_field = "_kuzzle_info";

std::int64_t to_millis(Instant t);
// The whole millisecond at or before it, which clients are told.
Instant floor_millis(Instant t);
// What a bulk write has said of it, an object; missing where none has.
Value given_metadata(const Document& document);
// Version 1 names whether and when it was put into the trashcan; version 2 has none.
Object metadata_of(const Document& document, Shape shape);

// Append members without a comma around them, as `"_source":{…}`.
void render_place(std::string_view index, std::string_view collection, std::string& out);
void render_id_and_version(const Document& document, std::string& out);
void render_source(const Document& document, Shape shape, std::string& out);
// The same for what is left of a body.
void render_source(Value body, const Document& document, Shape shape, std::string& out);
// `,"_meta":{…}`, where the shape has it.
void render_meta(const Document& document, Shape shape, std::string& out);

}  // namespace mayfly::kuzzle
