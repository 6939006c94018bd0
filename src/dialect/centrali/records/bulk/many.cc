#include "dialect/centrali/records/bulk/many.h"

#include <set>

#include "dialect/centrali/lifetimes/misspelt.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/common/limits.h"
#include "dialect/common/requests/json_body.h"
#include "dialect/common/requests/parameters.h"

namespace mayfly::centrali {
namespace {

// The body as an object; a bare array stands for its records, or its ids.
Result<Object> parse_body(const net::Request& request) {
  if (request.body.empty()) return Object();
  Value body = TRY(parse_json(request.body, {.bytes_max = limits::bulk_body_bytes_max}));
  if (body.is(Kind::object)) return std::move(body.mutable_object());
  if (!body.is(Kind::array)) {
    return fail(Code::invalid, "the body must be a JSON object with records, or an array of them");
  }
  const bool has_ids = !body.array().empty() && body.array().front().is(Kind::text);
  return Object{{has_ids ? "ids" : "records", std::move(body)}};
}

Result<std::string> text_or(const Object& body, std::string otherwise) {
  MemberReader reader(body);
  for (const std::string_view name : {"structureId", "collectionId"}) {
    if (auto text = TRY(reader.text(name))) return *std::move(text);
  }
  return otherwise;
}

class BulkReader {
 public:
  BulkReader(const CentraliCall& call, BulkKind kind, const Object& body, RequestedLifetime for_all,
             std::string structure)
      : call_(call),
        kind_(kind),
        body_(body),
        for_all_(for_all),
        structure_(std::move(structure)) {}

  Result<std::vector<BulkItem>> read() {
    MemberReader reader(body_);
    if (const Array* records = TRY(reader.array("records"))) {
      for (const Value& record : *records) items_.push_back(read_record(record));
    }
    if (const Array* ids = TRY(reader.array("ids")); ids != nullptr && kind_ != BulkKind::create) {
      for (const Value& id : *ids) items_.push_back(read_id(id));
    }
    if (kind_ == BulkKind::remove) TRY(read_parameter());
    if (items_.empty()) {
      const std::string wanted = kind_ == BulkKind::remove ? "ids" : "records";
      return fail(Code::invalid, wanted + " is required, with one at least", wanted);
    }
    if (items_.size() > limits::bulk_records_max) {
      return fail(Code::invalid,
                  "one request takes at most " + std::to_string(limits::bulk_records_max) +
                      " records, not " + std::to_string(items_.size()),
                  "records");
    }
    return std::move(items_);
  }

 private:
  BulkItem read_record(const Value& record) {
    if (record.is(Kind::text) && kind_ == BulkKind::remove) return read_id(record);
    if (!record.is(Kind::object)) {
      return {fail(Code::invalid, "a record must be an object", ""), structure_};
    }
    const Object& object = record.object();
    auto named = text_or(object, structure_);
    if (!named) return {tl::unexpected(named.error()), structure_};
    if (kind_ == BulkKind::create && object.find("data") == nullptr) {
      return {RecordInput{.data = record, .lifetime = for_all_}, *named};
    }
    auto sent = parse_item_input(object, for_all_);
    if (sent && kind_ != BulkKind::create && !sent->id) {
      return {fail(Code::invalid, "id is required", "id"), *named};
    }
    if (sent && kind_ == BulkKind::patch && sent->is_empty_input()) {
      return {fail(Code::invalid, "data is required", "data"), *named};
    }
    return {std::move(sent), *named};
  }

  // The same change for each id.
  BulkItem read_id(const Value& id) {
    if (!id.is(Kind::text)) return {fail(Code::invalid, "an id must be a text", "id"), structure_};
    if (kind_ == BulkKind::remove) return {RecordInput{.id = id.text()}, structure_};
    auto sent = parse_item_input(body_, for_all_);
    if (!sent) return {tl::unexpected(sent.error()), structure_};
    if (sent->is_empty_input()) {
      return {fail(Code::invalid, "data is required", "data"), structure_};
    }
    sent->id = id.text();
    return {std::move(sent), structure_};
  }

  Result<void> read_parameter() {
    const auto list = TRY(text_parameter(call_.request, "ids"));
    std::string_view rest = list ? std::string_view(*list) : std::string_view();
    while (!rest.empty()) {
      const std::string_view id = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(id.size() + 1, rest.size()));
      items_.push_back({RecordInput{.id = std::string(id)}, structure_});
    }
    return {};
  }

  const CentraliCall& call_;
  BulkKind kind_;
  const Object& body_;
  RequestedLifetime for_all_;
  std::string structure_;
  std::vector<BulkItem> items_;
};

// A record that is named twice is removed once, whichever names its structure has in the request.
void drop_repeated(const CentraliCall& call, std::vector<BulkItem>& items) {
  const WorkspacePtr workspace =
      call.directory.workspace(call.database().catalog(), call.workspace);
  std::set<std::pair<std::string, std::string>> seen;
  std::erase_if(items, [&](const BulkItem& item) {
    if (!item.sent || !item.sent->id) return false;
    const StructurePtr known = workspace ? workspace->find(item.structure) : nullptr;
    return !seen.emplace(known ? known->id : item.structure, *item.sent->id).second;
  });
}

}  // namespace

Result<BulkRequest> parse_bulk(const CentraliCall& call, BulkKind kind) {
  const Object body = TRY(parse_body(call.request));
  MemberReader reader(body);
  BulkRequest bulk;
  bulk.stops_on_error =
      TRY(reader.boolean("stopOnError"))
          .value_or(TRY(boolean_parameter(call.request, "stopOnError")).value_or(false));
  const RequestedLifetime for_all = TRY(parse_lifetime(call.request, body));
  const auto named = structure_named(call, body);
  bulk.items = TRY(BulkReader(call, kind, body, for_all, named.value_or("")).read());
  if (kind == BulkKind::remove) drop_repeated(call, bulk.items);
  bulk.misspelt = find_misspelt(body, lifetime_members);
  for (const BulkItem& item : bulk.items) {
    if (bulk.misspelt.empty() && item.sent) bulk.misspelt = item.sent->misspelt;
  }
  return bulk;
}

Result<std::optional<WrittenRecord>> write_item(CentraliCall& call, Transaction& transaction,
                                                BulkKind kind, const BulkItem& item, Removal how) {
  call.details.clear();
  if (!item.sent) return tl::unexpected(item.sent.error());
  const RecordInput& sent = *item.sent;
  if (kind == BulkKind::remove) {
    TRY(remove(call, transaction, *sent.id, how, item.structure));
    return std::nullopt;
  }
  if (kind == BulkKind::patch) {
    const FoundRecord found = TRY(find_in(call, transaction, *sent.id, item.structure));
    return TRY(patch(call, transaction, found, sent));
  }
  if (item.structure.empty()) {
    return fail(Code::invalid, "structureId is required", "structureId");
  }
  const StructurePtr structure =
      TRY(find_structure(call, transaction.view().catalog_ptr(), item.structure, "structureId"));
  return TRY(create(call, transaction, structure, sent));
}

}  // namespace mayfly::centrali
