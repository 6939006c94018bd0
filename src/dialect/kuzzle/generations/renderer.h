// Renderer: writes outcomes (outcomes.h) as one generation of Kuzzle's API does. There are two
// implementations: version 1, whose late variant differs only in facts (generation.h), and version
// 2.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/kuzzle/generations/outcomes.h"
#include "dialect/kuzzle/realtime/notification.h"
#include "value/json/writer.h"

namespace mayfly::kuzzle {

// Threads: any; a renderer has no state. Functions that take a JsonWriter append one value, unless
// they say that it is members of an object.
class Renderer {
 public:
  virtual ~Renderer() = default;

  // --- documents ---
  virtual void found(const FoundDocument& found, JsonWriter& json) const = 0;
  // A document that one of several requested ids does not name: an item of the list, or an error.
  virtual void missing(NamedCollection place, const std::string& id, ManyResults& results,
                       JsonWriter& json) const = 0;
  // The members after the list of documents.
  virtual void end_many(const ManyResults& results, JsonWriter& json) const = 0;
  virtual void written(const WrittenDocument& written, JsonWriter& json) const = 0;
  virtual void written_item(const WrittenItem& item, JsonWriter& json) const = 0;
  virtual void deleted(const DeletedDocument& deleted, JsonWriter& json) const = 0;
  virtual void deleted_many(const DeletedMany& deleted, JsonWriter& json) const = 0;
  virtual void deleted_by_query(const DeletedByQuery& deleted, JsonWriter& json) const = 0;
  virtual void imported(const Imported& imported, JsonWriter& json) const = 0;

  // --- searches ---
  // The members before the hits, and those after them.
  virtual void begin_search(JsonWriter& json) const = 0;
  virtual void end_search(const FoundHits& found, JsonWriter& json) const = 0;
  // Members: everything but the sort keys and highlights.
  virtual void hit(const FoundHit& hit, JsonWriter& json) const = 0;
  virtual void counted(std::uint64_t count, JsonWriter& json) const = 0;

  // --- collections, subscriptions and tokens ---
  virtual void mapping(const CollectionMapping& mapping, JsonWriter& json) const = 0;
  virtual void truncated(const Array& ids, JsonWriter& json) const = 0;
  virtual void unsubscribed(std::string_view room, JsonWriter& json) const = 0;
  virtual void valid_token(const ValidToken& token, JsonWriter& json) const = 0;

  // --- errors ---
  virtual Object error(const FailedRequest& failed) const = 0;
  // The error beside the result. Nothing: the result contains the errors.
  virtual std::optional<Object> partial_error(const PartialFailure& failure) const = 0;

  // --- notifications ---
  // Members: what has happened.
  virtual void event(const realtime::Notification& notification, JsonWriter& json) const = 0;
  // The result of a notification about a document that a filter selects, or no longer selects.
  virtual Object in_scope(const realtime::NotifiedDocument& notified,
                          const realtime::Facts& facts) const = 0;
  virtual Object out_of_scope(const realtime::NotifiedDocument& notified,
                              const realtime::Facts& facts) const = 0;
};

const Renderer& renderer_of_v1();
const Renderer& renderer_of_v1_late();
const Renderer& renderer_of_v2();

}  // namespace mayfly::kuzzle
