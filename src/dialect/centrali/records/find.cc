#include "dialect/centrali/records/find.h"

#include "dialect/centrali/records/ids.h"
#include "dialect/centrali/structures/actions.h"

namespace mayfly::centrali {
namespace {

// What the path or the query string says; null where neither does.
const std::string* named_structure(const Call& call) {
  if (const std::string& slug = call.match["slug"]; !slug.empty()) return &slug;
  const std::string* named = call.request.parameter("structureId");
  return named != nullptr ? named : call.request.parameter("collectionId");
}

}  // namespace

Error no_such_record(std::string_view id) {
  return {Code::not_found, "record not found: '" + std::string(id) + "'"};
}

Result<std::vector<StructurePtr>> places_of(Call& call, const CatalogPtr& catalog,
                                            const std::string& id) {
  if (const std::string* named = named_structure(call)) {
    StructurePtr place = TRY(find_structure(call, catalog, *named, "structureId"));
    return std::vector{std::move(place)};
  }
  const WorkspacePtr workspace = call.directory.workspace(catalog, call.workspace);
  std::vector<StructurePtr> places;
  if (!workspace) return places;
  const auto hint = collection_hint(id);
  const StructurePtr first = hint ? workspace->find(*hint) : nullptr;
  if (first) places.push_back(first);
  for (const StructurePtr& structure : workspace->structures()) {
    if (structure != first) places.push_back(structure);
  }
  return places;
}

Result<Found> find_record(const std::vector<StructurePtr>& places, const std::string& id,
                          View& view, const Lens& lens) {
  const DocumentKey key = DocumentKey::of(id);
  TRY(check(key));
  for (const StructurePtr& structure : places) {
    auto document = TRY(view.get(*structure->collection, key, lens));
    if (document) return Found{structure, *std::move(document)};
  }
  return tl::unexpected(no_such_record(id));
}

Result<Found> find_living(Call& call, const std::string& id) {
  const DocumentKey key = DocumentKey::of(id);
  TRY(check(key));
  const auto hint = collection_hint(id);
  const CollectionPtr collection = hint ? call.database().catalog()->collection(*hint) : nullptr;
  if (collection && named_structure(call) == nullptr) {
    const WorkspacePtr workspace =
        call.directory.workspace(call.database().catalog(), call.workspace);
    const StructurePtr structure = workspace ? workspace->find(*hint) : nullptr;
    if (structure) {
      auto document = TRY(call.database().get(structure->collection, key));
      if (document) return Found{structure, *std::move(document)};
    }
  }
  View view = call.database().view();
  const auto places = TRY(places_of(call, view.catalog_ptr(), id));
  return find_record(places, id, view, view.live());
}

}  // namespace mayfly::centrali
