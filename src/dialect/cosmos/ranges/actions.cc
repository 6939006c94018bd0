// The key ranges of a container as clients list them. Source: spec cosmos.md, section 16.
#include "dialect/cosmos/actions.h"

#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

void render_range(const Container& container, const KeyRange& range, std::string& out) {
  Array parents;
  for (const std::string& parent : range.parents) parents.push_back(Value(parent));
  const auto count = static_cast<double>(container.definition.ranges.size());
  const Object reported{{"id", range.id},
                        {"minInclusive", range.epks.min},
                        {"maxExclusive", range.epks.max},
                        {"ridPrefix", static_cast<std::int64_t>(range.number)},
                        {"throughputFraction", 1 / count},
                        {"status", "online"},
                        {"parents", std::move(parents)}};
  render_json(reported, out);
  out.pop_back();
  const Bytes rid = child_rid(container.rid, ResourceKind::partition_range, range.number + 1);
  render_system_properties({.rid = rid,
                            .self = container.self_link() + "pkranges/" + render_rid(rid) + '/',
                            .changed_at = container.collection->changed_at},
                           out);
  out += '}';
}

}  // namespace

Result<net::Response> list_partition_ranges(Call& call) {
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
