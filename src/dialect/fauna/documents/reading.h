// Reads documents and definitions for a query, all through one view.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "db/read/view.h"
#include "dialect/fauna/documents/collection.h"
#include "dialect/fauna/schema/cache.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

// Threads: one at a time, that of the view.
class Reading {
 public:
  // The view must outlive this object. `database` is the query's. `cached_schema` caches the schema
  // that the view shows; null if there is no cache.
  Reading(View& view, DatabaseId database, CachedSchemaPtr cached_schema = nullptr)
      : view_(view), database_(database), cached_schema_(std::move(cached_schema)) {}

  // By name or alias; null if there is none. A collection that another API has created is found by
  // its name, with an empty definition. Names are resolved as of now, also when documents are read
  // as of an earlier instant.
  Result<FqlCollectionPtr> collection(std::string_view name);
  // By name or alias; null if there is none.
  Result<FunctionPtr> function(std::string_view name);
  // To be called when a definition was written or removed: it will be read again.
  void mark_changed(const SystemCollection& of, std::string_view name);

  // The live document, now or at an instant; nullopt if there is none. Fails with invalid if the
  // instant is before the kept history. `named` has the id as FQL shows it, and the partition if
  // known.
  Result<std::optional<Document>> get(const FqlCollection& of, const DocumentKey& named,
                                      const std::optional<Instant>& at);
  // A document that FQL itself defines, by its key.
  Result<std::optional<Document>> get_system(const SystemCollection& of, std::string_view id);

  // The names or ids of the definitions in which that member has that text, in order. All
  // definitions of a kind are read once; later only changed ones are read again.
  Result<std::vector<std::string>> names_with(const SystemCollection& of, std::string_view member,
                                              std::string_view text);
  // The collection or function that has that alias.
  Result<std::optional<Document>> get_by_alias(const SystemCollection& of, std::string_view alias);

  // All documents of one kind, ordered by name or id.
  Result<std::vector<Document>> all_system(const SystemCollection& of);

  Result<Lens> lens(const FqlCollection& of, const std::optional<Instant>& at) const;
  View& view() { return view_; }
  DatabaseId database() const { return database_; }
  CollectionPtr system_table() const;

 private:
  // An index of the definitions of a kind by the text of one member.
  struct MemberIndex {
    std::map<std::string, std::set<std::string>, std::less<>> names;  // by the text
    std::map<std::string, std::string, std::less<>> texts;            // by the name
    std::set<std::string, std::less<>> changed;                       // names to read again

    void forget(std::string_view name);
    void add(std::string_view name, const mayfly::Value& text);
  };
  using MemberKey = std::pair<std::string_view, std::string>;  // kind and member

  Result<FqlCollectionPtr> read_collection(std::string_view name);
  Result<DefinitionPtr> definition(std::string_view name);
  Result<MemberIndex> read_member_index(const SystemCollection& of, const std::string& member);
  Result<MemberIndex*> member_index(const SystemCollection& of, std::string_view member);

  View& view_;
  const DatabaseId database_;
  CachedSchemaPtr cached_schema_;
  std::map<std::string, FqlCollectionPtr, std::less<>> collections_;
  std::set<std::string> changed_;  // collections whose definitions this query has written
  std::map<MemberKey, MemberIndex> member_indexes_;  // built on first use
};

// --- documents as values ---

// The stored fields, without id, coll, ts and ttl.
FqlObject stored_fields(const Document& document);
// The ttl as a document shows it; null if it has none.
FqlValue ttl_of(const Document& document);

// REACHES DISK: metadata stored beside the body of a document: how many nanoseconds its ttl is
// before its expiration, which is in whole microseconds. Empty for none.
Bytes facet_of(const std::optional<FqlTime>& ttl);

}  // namespace mayfly::fauna
