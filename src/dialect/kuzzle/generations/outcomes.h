// What the actions have done or found, as data for a renderer (renderer.h). An outcome refers to
// what the action holds and lives as long as the call of the renderer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "db/rows/document.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/search/search.h"
#include "value/value.h"

namespace mayfly::kuzzle {

// A collection as clients name it.
struct NamedCollection {
  std::string_view index;
  std::string_view collection;
};

inline NamedCollection named_collection(const Message& message) {
  return {message.index, message.collection};
}

struct FoundDocument {
  NamedCollection place;
  const Document& document;
};

// The rest of an answer about several documents, after those that it lists.
struct ManyResults {
  std::uint64_t total = 0;  // in the list
  Array errors = {};
};

struct WrittenDocument {
  NamedCollection place;
  const Document& document;
  bool is_new = false;
  WriteKind how = WriteKind::create;
  const Value& changes;       // of an update
  bool shows_source = false;  // the request has the flag, or it is no update
};

// One of several documents.
struct WrittenItem {
  NamedCollection place;
  const Document& document;
  bool is_new = false;
  bool shows_source = true;
};

struct DeletedDocument {
  NamedCollection place;
  const std::string& id;
  const Document& before;
  bool shows_source = false;
};

struct DeletedMany {
  const Array& ids;
  const Array& errors;
};

struct DeletedByQuery {
  const Array& ids;
  std::string_view documents;  // JSON: the items of a list
};

struct Imported {
  const Array& items;
  const Array& errors;
};

// A hit, without the end that all generations have.
struct FoundHit {
  NamedCollection place;
  bool is_one_of_many = false;  // the search was in several collections
  const search::Hit& hit;
  bool shows_source = true;
  Value filtered_source = {};  // missing: the whole body
};

// What a search has found besides its hits.
struct FoundHits {
  const search::Answer& answer;
  std::string_view scroll_id = {};  // empty: none
  std::uint64_t remaining = 0;      // in the scroll
};

struct CollectionMapping {
  NamedCollection place;
  const Value& mapping;
};

struct ValidToken {
  std::string_view user_id;
  std::int64_t expires_at = -1;  // in milliseconds; -1: never
};

// A request of which a part has failed.
struct PartialFailure {
  int status = 0;
  const std::string& message;
  const Array& errors;
};

struct FailedRequest {
  std::string_view id;
  std::uint32_t number = 0;
  int status = 0;
  std::string message;
};

}  // namespace mayfly::kuzzle
