// Structure: a collection as this dialect sees it. What the database does not know (id, display
// name, properties, …) is JSON in the collection's facet "centrali". A collection that another
// dialect made has no such facet, and is a structure without properties.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/catalog/catalog.h"
#include "dialect/centrali/structures/properties.h"

namespace mayfly::centrali {

inline constexpr std::string_view facet_name = "centrali";

// Immutable; threads: any.
struct Structure {
  enum class Mode { strict, schemaless, auto_evolving };

  CollectionPtr collection;
  std::string id;
  std::string name;
  std::string slug;
  Mode mode = Mode::schemaless;
  Object facet;
  Shape shape;  // of the data: its children are the properties
};
using StructurePtr = std::shared_ptr<const Structure>;

// Never fails: an unreadable facet counts as none.
StructurePtr structure_of(const CollectionPtr& collection);

// The common routing of all records, for scans. Records of structures made by this dialect have an
// empty one. If another dialect made the collection, its routings may differ, and the result is
// nothing.
std::optional<Bytes> routing_of_records(const Structure& structure);

std::optional<Structure::Mode> parse_mode(std::string_view word);
std::string_view word_of(Structure::Mode mode);

// How long new records live by default; nothing if they live for ever.
std::optional<std::int64_t> default_seconds(const Policy& policy);

// "Blog Posts" -> "blog-posts"; empty if it has no ASCII letter or digit.
std::string slug_of(std::string_view name);

std::string render_structure(const Structure& structure, std::string_view workspace);
void render_structure(const Structure& structure, std::string_view workspace, std::string& out);

}  // namespace mayfly::centrali
