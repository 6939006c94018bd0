// Documents as a query reads them, all through its one view.
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

// Threads: one at a time; the view's.
class Reading {
 public:
  // The view outlives it. `database`: of the query. `known`: of the schema that the view shows;
  // null: nothing.
  Reading(View& view, DatabaseId database, KnownSchemaPtr known = nullptr)
      : view_(view), database_(database), known_(std::move(known)) {}

  // By its name or its alias; null where there is none. Names mean what they mean now, also in an
  // earlier instant.
  Result<FqlCollectionPtr> collection(std::string_view name);
  // By its name or its alias; null where there is none.
  Result<FunctionPtr> function(std::string_view name);
  // A definition has been written or removed: it is read again.
  void note_changed(const SystemCollection& of, std::string_view name);

  // The document that is alive, now or at that instant; nothing where there is none. Fails with
  // invalid where the instant is earlier than what is kept.
  // `named`: the id as FQL has it, and the partition where it is known.
  Result<std::optional<Document>> get(const FqlCollection& of, const DocumentKey& named,
                                      const std::optional<Instant>& at);
  // A document that FQL itself defines, by its key.
  Result<std::optional<Document>> get_system(const SystemCollection& of, std::string_view id);

  // The names, or ids, of the definitions whose member is that text, in their order. All of a kind
  // are read once, and once more what changes since.
  Result<std::vector<std::string>> saying(const SystemCollection& of, std::string_view member,
                                          std::string_view text);
  // The collection or function that has that alias.
  Result<std::optional<Document>> get_by_alias(const SystemCollection& of, std::string_view alias);

  // All of one kind, in the order of their names or ids.
  Result<std::vector<Document>> all_system(const SystemCollection& of);

  Result<Lens> lens(const FqlCollection& of, const std::optional<Instant>& at) const;
  View& view() { return view_; }
  DatabaseId database() const { return database_; }
  CollectionPtr system_table() const;

 private:
  // What one member says in all definitions of a kind.
  struct Said {
    std::map<std::string, std::set<std::string>, std::less<>> names;  // by the text
    std::map<std::string, std::string, std::less<>> texts;            // by the name
    std::set<std::string, std::less<>> changed;  // names that are to be read again

    void forget(std::string_view name);
    void add(std::string_view name, const mayfly::Value& said);
  };
  using SaidKey = std::pair<std::string_view, std::string>;  // the kind and the member

  Result<FqlCollectionPtr> read_collection(std::string_view name);
  Result<DefinitionPtr> definition(std::string_view name);
  Result<Said> read_said(const SystemCollection& of, const std::string& member);
  Result<Said*> said(const SystemCollection& of, std::string_view member);

  View& view_;
  const DatabaseId database_;
  KnownSchemaPtr known_;
  std::map<std::string, FqlCollectionPtr, std::less<>> collections_;
  std::set<std::string> changed_;  // collections whose definitions this query has written
  std::map<SaidKey, Said> said_;   // of what has been asked for
};

// --- documents as values ---

// What is stored, as fields: without id, coll, ts and ttl.
FqlObject stored_fields(const Document& document);
// The ttl that a document shows: null where it has none.
FqlValue ttl_of(const Document& document);

// REACHES DISK: beside a document, what its body cannot hold: the nanoseconds of its ttl.
Bytes facet_of(const std::optional<FqlTime>& ttl);

}  // namespace mayfly::fauna
