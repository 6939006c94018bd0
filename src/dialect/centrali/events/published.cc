#include "dialect/centrali/events/published.h"

#include <algorithm>
#include <iterator>

#include "db/database.h"
#include "dialect/centrali/render.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

// REACHES DISK: the name of the format, and the id.
constexpr std::string_view format_name = "centrali.published";
constexpr std::string_view subscription_id = "centrali.events";
constexpr std::string_view subject = "centrali.{database}.records.{event}";

struct PublishedRow {
  Event::Kind kind;
  std::string_view name;
};
constexpr PublishedRow published[] = {{Event::Kind::created, "created"},
                                      {Event::Kind::replaced, "updated"},
                                      {Event::Kind::removed, "deleted"},
                                      {Event::Kind::restored, "restored"},
                                      {Event::Kind::expired, "expired"}};

std::string_view name_of_event(Event::Kind kind) {
  const auto row = std::ranges::find(published, kind, &PublishedRow::kind);
  return row == std::end(published) ? std::string_view() : row->name;
}

}  // namespace

delivery::Format published_format(const Database& database, Directory& directory) {
  return {
      .name = format_name,
      .event_name = name_of_event,
      .render = [&](const delivery::MessageParts& parts, std::string& out) -> Result<void> {
        const delivery::Message& message = parts.message;
        const WorkspacePtr workspace = directory.workspace(database.catalog(), message.database);
        const StructurePtr known = workspace ? workspace->find(parts.collection->id) : nullptr;
        const StructurePtr structure = known ? known : structure_of(parts.collection);
        render_json(Object{{"event", "record." + message.event},
                           {"timestamp", render_time(parts.event.committed_at)},
                           {"workspace", message.database},
                           {"data", Object{{"record", Object{{"id", parts.event.key.id},
                                                             {"structureId", structure->id}}}}}},
                    out);
        return {};
      }};
}

delivery::Subscription published_events() {
  delivery::Subscription all{.id = std::string(subscription_id),
                             .name = "events of records",
                             .format = std::string(format_name),
                             .target = "nats",
                             .settings = Object{{"subject", subject}}};
  for (const PublishedRow& row : published) all.kinds.insert(row.kind);
  return all;
}

}  // namespace mayfly::centrali
