#include "dialect/centrali/records/write.h"

#include "dialect/centrali/lifetimes/misspelt.h"
#include "dialect/centrali/records/ids.h"
#include "dialect/centrali/records/references/references.h"
#include "dialect/centrali/render.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/common/hint.h"
#include "dialect/common/requests/json_body.h"
#include "dialect/common/requests/meter.h"
#include "dialect/common/requests/parameters.h"
#include "value/order/order.h"
#include "value/patch.h"

namespace mayfly::centrali {
namespace {

// All but the lifetime.
Result<RecordInput> parse_members(const Object& body) {
  MemberReader reader(body);
  RecordInput sent;
  if (const Object* data = TRY(reader.object("data"))) sent.data = *data;
  if (reader.has_null("metadata")) {
    sent.facet = Bytes();
  } else if (const Object* metadata = TRY(reader.object("metadata"))) {
    sent.facet = encode_metadata(*metadata);
  }
  sent.id = TRY(reader.text("id"));
  sent.misspelt = find_misspelt(body, lifetime_members);
  return sent;
}

Result<void> refuse_if_wrong(const std::vector<Detail>& details) {
  if (details.empty()) return {};
  return fail(Code::invalid, details.front().field + " " + details.front().message);
}

Result<void> validate_data(CentraliCall& call, Transaction& transaction, const Structure& structure,
                           const Value& data, Extent extent) {
  call.details.clear();
  if (structure.mode == Structure::Mode::schemaless) return {};
  Meter meter = meter_of(call.request);
  TRY(validate(data, structure.shape, extent, call.details, meter));
  if (call.details.empty()) TRY(check_references(call, transaction, structure, data.object()));
  return refuse_if_wrong(call.details);
}

Result<void> check_immutable(const Structure& structure, const Value& before, const Value& after,
                             std::vector<Detail>& details) {
  for (const Shape& property : structure.shape.children) {
    if (!is_immutable(property) || before.member(property.name).is_missing()) continue;
    if (same(before.member(property.name), after.member(property.name))) continue;
    details.push_back({property.name, "cannot be changed"});
  }
  return refuse_if_wrong(details);
}

// Checks that no other living record in that structure, or found by its id alone, has the id of a
// record that is created or restored. Clients request records without their structure.
Result<void> check_free(CentraliCall& call, Transaction& transaction, const StructurePtr& structure,
                        const std::string& id) {
  View& view = transaction.view();
  const WorkspacePtr workspace = call.directory.workspace(view.catalog_ptr(), call.workspace);
  auto found = find_record(candidates_in(*workspace, id, structure), id, view, view.live());
  if (found) return fail(Code::exists, "there is already a record with the id '" + id + "'", "id");
  if (found.error().code != Code::not_found) return tl::unexpected(std::move(found).error());
  return {};
}

// The id of a new record.
Result<std::string> id_of(CentraliCall& call, Transaction& transaction,
                          const StructurePtr& structure, const RecordInput& sent) {
  if (!sent.id) return new_record_id(call.services.random, structure->collection->id);
  TRY(check_free(call, transaction, structure, *sent.id));
  return *sent.id;
}

Result<WrittenRecord> put_over(CentraliCall& call, Transaction& transaction,
                               const FoundRecord& found, Bytes packed, const RecordInput& sent) {
  const DocumentKey key = found.document.document_key();
  const PutOptions options{.expect = PutOptions::Expect::present,
                           .lifetime = lifetime_of_update(sent.lifetime, transaction.now()),
                           .author = call.principal.name,
                           .facet = sent.facet};
  TRY(transaction.put(found.structure->collection, key, std::move(packed), options));
  return WrittenRecord{found.structure, key};
}

// Erases a record that is only in the archive.
Result<void> forget_archived(const CentraliCall& call, Transaction& transaction,
                             const Candidates& candidates, const std::string& id) {
  const DocumentKey key = DocumentKey::of(id);
  const StructurePtr structure = TRY(find_archived(candidates, key, transaction));
  if (!structure) return tl::unexpected(no_such_record(id));
  return transaction.forget(structure->collection, key, call.principal.name);
}

}  // namespace

Result<RecordInput> parse_record_input(const net::Request& request, const Object& body) {
  RecordInput sent = TRY(parse_members(body));
  sent.lifetime = TRY(parse_lifetime(request, body));
  return sent;
}

Result<RecordInput> parse_item_input(const Object& item, const RequestedLifetime& for_all) {
  RecordInput sent = TRY(parse_members(item));
  sent.lifetime = TRY(parse_lifetime({}, item));
  if (!sent.lifetime.is_set()) sent.lifetime = for_all;
  return sent;
}

Result<WrittenRecord> create(CentraliCall& call, Transaction& transaction,
                             const StructurePtr& structure, const RecordInput& sent) {
  if (sent.data.is_missing()) return fail(Code::invalid, "data is required", "data");
  const Value data = with_defaults(structure->shape, sent.data, Extent::whole);
  TRY(validate_data(call, transaction, *structure, data, Extent::whole));
  DocumentKey key = DocumentKey::of(TRY(id_of(call, transaction, structure, sent)));
  const PutOptions options{.expect = PutOptions::Expect::absent,
                           .lifetime = lifetime_of_creation(sent.lifetime, *structure->collection,
                                                            data, transaction.now()),
                           .author = call.principal.name,
                           .facet = sent.facet};
  TRY(transaction.put(structure->collection, key, TRY(pack(data)), options));
  return WrittenRecord{structure, std::move(key)};
}

Result<WrittenRecord> patch(CentraliCall& call, Transaction& transaction, const FoundRecord& found,
                            const RecordInput& sent) {
  Bytes packed(found.document.body.bytes());
  if (sent.data.is(Kind::object) && !sent.data.object().empty()) {
    TRY(validate_data(call, transaction, *found.structure, sent.data, Extent::changes));
    const Value before = found.document.body.unpack();
    const Value after = assign(before, sent.data);
    TRY(check_immutable(*found.structure, before, after, call.details));
    packed = TRY(pack(after));
  }
  return put_over(call, transaction, found, std::move(packed), sent);
}

Result<WrittenRecord> replace(CentraliCall& call, Transaction& transaction,
                              const FoundRecord& found, const RecordInput& sent) {
  if (sent.data.is_missing()) return fail(Code::invalid, "data is required", "data");
  const Value data = with_defaults(found.structure->shape, sent.data, Extent::whole);
  TRY(validate_data(call, transaction, *found.structure, data, Extent::whole));
  TRY(check_immutable(*found.structure, found.document.body.unpack(), data, call.details));
  return put_over(call, transaction, found, TRY(pack(data)), sent);
}

Result<WrittenRecord> restore(CentraliCall& call, Transaction& transaction, const std::string& id) {
  const DocumentKey key = DocumentKey::of(id);
  TRY(check(key));
  const CatalogPtr catalog = transaction.view().catalog_ptr();
  const Candidates candidates = TRY(candidates_of(call, catalog, id));
  const StructurePtr structure = TRY(find_archived(candidates, key, transaction));
  if (!structure) return fail(Code::not_found, "archived record not found: '" + id + "'");
  TRY(check_free(call, transaction, structure, id));
  TRY(transaction.restore(structure->collection, key, {.author = call.principal.name}));
  return WrittenRecord{structure, key};
}

Result<void> remove(CentraliCall& call, Transaction& transaction, const std::string& id,
                    Removal how, const std::string& in_body) {
  View& view = transaction.view();
  const auto candidates = TRY(candidates_of(call, view.catalog_ptr(), id, in_body));
  const auto found = find_record(candidates, id, view, view.live());
  if (found) return remove_found(call, transaction, *found, how, 0);
  const bool is_missing = found.error().code == Code::not_found;
  if (how == Removal::final && is_missing)
    return forget_archived(call, transaction, candidates, id);
  return tl::unexpected(found.error());
}

Result<void> run_extra_write(const CentraliCall& call, Transaction& transaction) {
  return call.extra_write ? call.extra_write(transaction) : Result<void>();
}

Result<FoundRecord> find_in(CentraliCall& call, Transaction& transaction, const std::string& id,
                            const std::string& in_body) {
  View& view = transaction.view();
  return find_record(TRY(candidates_of(call, view.catalog_ptr(), id, in_body)), id, view,
                     view.live());
}

Result<std::string> structure_named(const CentraliCall& call, const Object& body) {
  if (const std::string& slug = call.match["slug"]; !slug.empty()) return slug;
  MemberReader reader(body);
  for (const std::string_view name : {"structureId", "collectionId"}) {
    if (auto text = TRY(reader.text(name))) return *std::move(text);
    if (const std::string* parameter = call.request.parameter(name)) return *parameter;
  }
  return fail(Code::invalid, "structureId is required", "structureId");
}

Result<Removal> removal_of(const net::Request& request) {
  for (const std::string_view name : {"hard", "hardDelete", "permanent"}) {
    if (TRY(boolean_parameter(request, name)).value_or(false)) return Removal::final;
  }
  return Removal::archive;
}

std::optional<Document> render_written(const CentraliCall& call, const Transaction& transaction,
                                       const WrittenRecord& written, std::string& out) {
  auto document = transaction.written(written.structure->collection, written.key);
  if (document) render_record(*document, {*written.structure, call.workspace}, out);
  return document;
}

void hint_at_expired(const Document& document, net::Response& response) {
  if (document.death > document.version.written_at) return;
  response.headers.emplace_back(hint_header,
                                "expiresAt lies in the past: the record has expired already and "
                                "cannot be read");
}

}  // namespace mayfly::centrali
