// The key ranges of a container as clients list them. Source: spec cosmos.md, section 16.
#include "dialect/cosmos/actions.h"

#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "value/json/writer.h"

namespace mayfly::cosmos {
namespace {

void render_range(const Container& container, const KeyRange& range, std::string& out) {
  const auto count = static_cast<double>(container.definition.ranges.size());
  JsonWriter json(out);
  json.begin_object();
  json.member("id", range.id);
  json.member("minInclusive", range.epks.min);
  json.member("maxExclusive", range.epks.max);
  json.member("ridPrefix", range.number);
  json.member("throughputFraction", 1 / count);
  json.member("status", "online");
  json.name("parents").begin_array();
  for (const std::string& parent : range.parents) json.text(parent);
  json.end_array();
  const Bytes rid = child_rid(container.rid, ResourceKind::partition_range, range.number + 1);
  render_system_properties({.rid = rid,
                            .self = container.self_link() + "pkranges/" + render_rid(rid) + '/',
                            .changed_at = container.collection->changed_at},
                           json);
  json.end_object();
}

}  // namespace

Result<net::Response> list_partition_ranges(CosmosCall& call) {
  const ContainerPtr container =
      TRY(call.containers.find(*call.database().catalog(), call.address));
  const Instant changed_at = container->collection->changed_at;
  const std::string etag = etag_of(changed_at);
  const std::string_view known = call.header("if-none-match");
  if (!known.empty() && parse_etag(known) == changed_at) return not_modified(etag);
  Feed feed(ResourceKind::partition_range, container->rid);
  for (const KeyRange& range : container->definition.ranges.all()) {
    render_range(*container, range, feed.next());
  }
  net::Response response = feed.finish();
  response.headers.emplace_back("etag", etag);
  add_container_headers(*container, response);
  return response;
}

}  // namespace mayfly::cosmos
