#include "dialect/cosmos/documents/find.h"

#include "dialect/common/requests/meter.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/rid_numbers.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/ranges/named_range.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/stored/tokens.h"
#include "query/run.h"

namespace mayfly::cosmos {
namespace {

constexpr Span rid_search_span = Span::seconds(60);

// The number of the document's rid in the path; nothing if the path has names. A path has either
// names or rids throughout: if its container is named, an id that looks like a rid is an id.
std::optional<std::uint64_t> number_in_path(const CosmosCall& call, const Container& container) {
  if (call.address.name_of(ResourceKind::container) == container.collection->name) {
    return std::nullopt;
  }
  const std::string& name = call.address.name_of(ResourceKind::document);
  const auto rid = parse_rid(name);
  if (!rid || container_of(*rid) != container.collection->id) return std::nullopt;
  return number_of(*rid);
}

Result<void> check_whole(const PartitionKey& key, const PartitionValues& values) {
  if (is_whole(key, values)) return {};
  return tl::unexpected(values.empty() ? key_is_missing() : key_does_not_correspond());
}

Result<DocumentKey> key_by_name(const CosmosCall& call, const Container& container) {
  const std::string_view header = call.header(partition_key_header);
  const PartitionKey& definition = container.definition.key;
  PartitionValues values;
  if (!header.empty()) {
    values = TRY(parse_partition_values(header));
  } else if (!definition.is_system) {
    return tl::unexpected(key_is_missing());
  }
  TRY(check_whole(definition, values));
  DocumentKey key{routing_of(definition, values), call.address.name_of(ResourceKind::document)};
  TRY(check(key));
  return key;
}

// The EPK of a header, in upper case.
Result<std::string> epk_in_header(const CosmosCall& call, std::string_view name) {
  std::string epk(call.header(name));
  for (char& c : epk) c = c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
  if (epk.find_first_not_of("0123456789ABCDEF") == std::string::npos) return epk;
  return tl::unexpected(wrong_header(name, call.header(name)));
}

Result<std::optional<EpkRange>> epks_of(const CosmosCall& call) {
  EpkRange range;
  range.min = TRY(epk_in_header(call, "x-ms-start-epk"));
  range.max = TRY(epk_in_header(call, "x-ms-end-epk"));
  if (range.max.empty()) range.max = epk_max;
  const bool is_all = range.min.empty() && range.max == epk_max;
  return is_all ? std::nullopt : std::optional(std::move(range));
}

Result<void> take_key_header(const CosmosCall& call, const PartitionKey& definition,
                             Restriction& restriction) {
  const std::string_view header = call.header(partition_key_header);
  if (header.empty()) return {};
  PartitionValues values = TRY(parse_partition_values(header));
  if (values.empty() && !definition.is_system) return {};
  if (values.size() > definition.paths.size()) {
    return tl::unexpected(
        bad_request("PartitionKey has more components than defined the collection resource.",
                    std::string(partition_key_header)));
  }
  if (is_whole(definition, values)) restriction.routing = routing_of(definition, values);
  restriction.values = std::move(values);
  return {};
}

// The living document of that rid. The key in the header must be the document's. The header may be
// missing if the container has no key, and for attachments, which clients look up by rids alone.
Result<std::optional<Document>> find_by_rid(const CosmosCall& call, const Container& container,
                                            std::uint64_t number, View& view) {
  const PartitionKey& definition = container.definition.key;
  const std::string_view header = call.header(partition_key_header);
  const bool needs_key = !definition.is_system && call.address.kind == ResourceKind::document;
  if (header.empty() && needs_key) return tl::unexpected(key_is_missing());
  auto document = TRY(find_by_number(call, container, number, view));
  if (!document) return document;
  const Bytes routing = document->document_key().routing;
  TRY(check_granted_partition(call, definition, routing));
  TRY(check_same_resource(call, document->created_at));
  if (header.empty()) return document;
  const PartitionValues values = TRY(parse_partition_values(header));
  TRY(check_whole(definition, values));
  if (routing_of(definition, values) != routing) document.reset();
  return document;
}

}  // namespace

Result<std::optional<Document>> find_by_number(const CosmosCall& call, const Container& container,
                                               std::uint64_t number, View& view,
                                               const Accepts& accepts) {
  // A document is created shortly after its rid is made, so the search begins there.
  const Instant about = created_about(number);
  const auto made_at = [](Instant t) { return expr::literal(Value(t)); };
  auto wanted = query::filter(
      query::scan(container.collection, view.live(), std::nullopt),
      expr::all_of({expr::call("greater_or_equal", {expr::metadata("created_at"), made_at(about)}),
                    expr::less(expr::metadata("created_at"), made_at(about + rid_search_span))}));
  wanted = query::sort(wanted, {{expr::metadata("created_at")}}, query::Ties::ascending);
  query::RunOptions options{.meter = meter_of(call.request)};
  while (true) {
    const query::RowsPage page = TRY(query::answer(wanted, view, options));
    TRY(options.meter.tick(static_cast<std::uint32_t>(page.rows.size())));
    for (const query::QueryRow& row : page.rows) {
      if (!row.document || number_of(*row.document) != number) continue;
      if (!accepts || TRY(accepts(*row.document))) return row.document;
    }
    if (!page.next) return std::nullopt;
    options.bookmark = page.next;
  }
}

Error key_does_not_correspond() {
  return bad_request(
      "Partition key provided either doesn't correspond to definition in the collection or doesn't "
      "match partition key field values specified in the document.");
}

Error key_is_missing() {
  return bad_request("PartitionKey value must be supplied for this operation.");
}

Result<DocumentKey> addressed_document(CosmosCall& call, const Container& container, View& view) {
  const auto number = number_in_path(call, container);
  if (!number) {
    DocumentKey key = TRY(key_by_name(call, container));
    if (!call.principal.existed_at) return key;
    const auto named = TRY(view.get(*container.collection, key, view.live()));
    if (named) TRY(check_same_resource(call, named->created_at));
    return key;
  }
  const auto document = TRY(find_by_rid(call, container, *number, view));
  if (!document) return tl::unexpected(no_such_resource());
  return document->document_key();
}

Result<DocumentKey> addressed_document(const CosmosCall& call, const Container& container,
                                       View& view, const Bytes& routing) {
  if (const auto number = number_in_path(call, container)) {
    const auto document = TRY(find_by_number(call, container, *number, view));
    if (!document) return tl::unexpected(no_such_resource());
    return document->document_key();
  }
  DocumentKey key{routing, call.address.name_of(ResourceKind::document)};
  TRY(check(key));
  return key;
}

Result<std::optional<Document>> find_document(CosmosCall& call, const Container& container) {
  if (const auto number = number_in_path(call, container)) {
    View view = call.database().view();
    return find_by_rid(call, container, *number, view);
  }
  const DocumentKey key = TRY(key_by_name(call, container));
  auto document = TRY(call.database().get(container.collection, key));
  if (document) TRY(check_same_resource(call, document->created_at));
  return document;
}

Result<Restriction> restriction_of(CosmosCall& call, const Container& container) {
  Restriction restriction;
  restriction.requested_epks = restriction.epks = TRY(epks_of(call));
  restriction.range = TRY(named_range(call, container));
  if (restriction.range != nullptr && !container.definition.ranges.is_one()) {
    const EpkRange& whole = restriction.range->epks;
    restriction.epks = restriction.epks ? in_both(*restriction.epks, whole) : whole;
  }
  TRY(take_key_header(call, container.definition.key, restriction));
  return restriction;
}

}  // namespace mayfly::cosmos
