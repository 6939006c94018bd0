// What Kuzzle shows of a document beside its body: rendered out of what the core keeps. Only what a
// bulk write gave is stored, in the body's own member of that name: an object, shown as it is, or
// null where it gave nothing and nothing is shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "db/rows/document.h"
#include "dialect/kuzzle/requests/message.h"

namespace mayfly::kuzzle {

inline constexpr std::string_view metadata_field = "_kuzzle_info";

std::int64_t to_millis(Instant t);
// The whole millisecond at or before it, which clients are told.
Instant floor_millis(Instant t);
// What a bulk write gave of it, an object or null; missing where none wrote it.
Value given_metadata(const Document& document);
// Version 1 names whether and when it was put into the trashcan; version 2 does not. Nothing where
// a bulk write gave nothing.
std::optional<Object> metadata_of(const Document& document, Shape shape);

// Takes out of a body what a bulk write gave, so that an update does not reach it; missing where
// there is nothing.
Value take_given_metadata(Value& body);
// Puts it back, with the update in it.
struct Update {
  Instant at;
  std::string_view by;
};
void put_given_metadata_back(Value& body, Value given, const Update& update);

// Append members without a comma around them, as `"_source":{…}`.
void render_place(std::string_view index, std::string_view collection, std::string& out);
void render_id_and_version(const Document& document, std::string& out);
void render_source(const Document& document, Shape shape, std::string& out);
// The same for what is left of a body.
void render_source(Value body, const Document& document, Shape shape, std::string& out);
// `,"_meta":{…}`, where the shape has it.
void render_meta(const Document& document, Shape shape, std::string& out);

}  // namespace mayfly::kuzzle
