#include "dialect/centrali/records/find.h"

#include "db/rows/keys.h"
#include "dialect/centrali/records/ids.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/common/requests/parameters.h"

namespace mayfly::centrali {
namespace {

// The structure named in the path or the query string; null if neither names one.
const std::string* named_structure(const CentraliCall& call) {
  if (const std::string& slug = call.match["slug"]; !slug.empty()) return &slug;
  const std::string* named = call.request.parameter("structureId");
  return named != nullptr ? named : call.request.parameter("collectionId");
}

// Whether the structure can have documents without a partition key: an id alone finds no others.
bool has_without_partition(const Structure& structure) {
  const BodyRules& body = structure.collection->body;
  return !body.is_partitioned() || body.may_lack_partition;
}

Result<std::optional<Document>> get_at(const Candidate& candidate, const DocumentKey& key,
                                       View& view, const Lens& lens) {
  const Collection& collection = *candidate.structure->collection;
  if (candidate.is_named) return view.get(collection, key, lens);
  const Bytes encoded = keys::encode(key);
  auto found = TRY(view.get_many(collection, {&encoded, 1}, lens));
  return std::move(found.front());
}

}  // namespace

Error no_such_record(std::string_view id) {
  return {Code::not_found, "record not found: '" + std::string(id) + "'"};
}

Candidates candidates_in(const Workspace& workspace, std::string_view id,
                         const StructurePtr& named) {
  const auto hint = collection_hint(id);
  const StructurePtr made_for = hint ? workspace.find(*hint) : nullptr;
  Candidates candidates;
  if (made_for) candidates.push_back({made_for, true});
  if (named && named != made_for) candidates.push_back({named, true});
  for (const StructurePtr& structure : workspace.structures()) {
    if (structure == made_for || structure == named) continue;
    if (has_without_partition(*structure)) candidates.push_back({structure, false});
  }
  return candidates;
}

Result<Candidates> candidates_of(CentraliCall& call, const CatalogPtr& catalog,
                                 const std::string& id, const std::string& in_body) {
  if (const std::string* named = in_body.empty() ? named_structure(call) : &in_body) {
    StructurePtr candidate = TRY(find_structure(call, catalog, *named, "structureId"));
    return Candidates{{std::move(candidate), true}};
  }
  const WorkspacePtr workspace = call.directory.workspace(catalog, call.workspace);
  if (!workspace) return Candidates();
  return candidates_in(*workspace, id);
}

Result<FoundRecord> find_record(const Candidates& candidates, const std::string& id, View& view,
                                const Lens& lens) {
  const DocumentKey key = DocumentKey::of(id);
  TRY(check(key));
  for (const Candidate& candidate : candidates) {
    auto document = TRY(get_at(candidate, key, view, lens));
    if (document) return FoundRecord{candidate.structure, *std::move(document)};
  }
  return tl::unexpected(no_such_record(id));
}

Result<View> view_with_archive(CentraliCall& call, const Candidates& candidates) {
  std::vector<CollectionId> collections;
  for (const Candidate& candidate : candidates)
    collections.push_back(candidate.structure->collection->id);
  return call.database().up_to_date_view(collections);
}

Result<bool> includes_archived(const net::Request& request) {
  return TRY(boolean_parameter(request, "includeArchived")).value_or(false);
}

Result<RecordAndView> find_with_view(CentraliCall& call, const std::string& id,
                                     bool with_archived) {
  Database& database = call.database();
  View view = with_archived
                  ? TRY(view_with_archive(call, TRY(candidates_of(call, database.catalog(), id))))
                  : database.view();
  const Candidates candidates = TRY(candidates_of(call, view.catalog_ptr(), id));
  const Lens lens = with_archived ? Lens::trash(view.now()) : view.live();
  FoundRecord found = TRY(find_record(candidates, id, view, lens));
  return RecordAndView{std::move(view), std::move(found)};
}

Result<StructurePtr> find_archived(const Candidates& candidates, const DocumentKey& key,
                                   Transaction& transaction) {
  View& view = transaction.view();
  for (const Candidate& candidate : candidates) {
    const CollectionPtr& collection = candidate.structure->collection;
    const bool may_be_elsewhere = collection->body.is_partitioned() && !candidate.is_named;
    if (may_be_elsewhere) TRY(transaction.check_expirations_flushed(collection));
    if (may_be_elsewhere && !TRY(get_at(candidate, key, view, Lens::trash(view.now())))) continue;
    if (TRY(transaction.get_removed(collection, key))) return candidate.structure;
  }
  return StructurePtr();
}

Result<FoundRecord> find_living(CentraliCall& call, const std::string& id) {
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
      if (document) return FoundRecord{structure, *std::move(document)};
    }
  }
  return TRY(find_with_view(call, id, false)).found;
}

}  // namespace mayfly::centrali
