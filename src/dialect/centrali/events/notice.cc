#include "dialect/centrali/events/notice.h"

#include <algorithm>
#include <iterator>

#include "base/limits.h"
#include "base/service/logging.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/render.h"
#include "dialect/common/requests/parameters.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

// The notice of each kind of event: its name for one record, and for several of one commit. Without
// a name there is no notice.
struct KindRow {
  Event::Kind kind;
  std::string_view one;
  std::string_view many;
  std::string_view by;  // the member that names the author
};
constexpr KindRow kinds[] = {
    {Event::Kind::created, "record_created", "records_bulk_created", "createdBy"},
    {Event::Kind::replaced, "record_updated", "records_bulk_updated", "updatedBy"},
    {Event::Kind::removed, "record_deleted", "records_bulk_deleted", "deletedBy"},
    {Event::Kind::restored, "record_restored", "", "updatedBy"},
    {Event::Kind::expired, "record_expired", "", ""},
};
// The name of an expiry on the page on record TTL; it has an envelope of its own.
constexpr std::string_view expired_envelope = "record.expired";

constexpr std::string_view event_names[] = {
    "record_created",
    "record_updated",
    "record_deleted",
    "record_restored",
    "record_expired",
    "records_bulk_created",
    "records_bulk_updated",
    "records_bulk_deleted",
    expired_envelope,
    // Events that never happen here:
    "record_reverted",
    "record_created_failed",
    "record_updated_failed",
    "record_deleted_failed",
    "records_bulk_created_failed",
    "records_bulk_updated_failed",
    "records_bulk_deleted_failed",
};

constexpr int number_bits = 32;

// Within a commit the notices are in the order of the collections.
std::uint64_t part_of(std::uint64_t collection, std::uint32_t number) {
  return collection << number_bits | number;
}

Value text_or_null(std::string_view text) {
  return text.empty() ? Value(nullptr) : Value(text);
}

// Flags the member as left out, if the notice has it.
void leave_out(std::string_view member, Notice& notice) {
  Object payload = notice.payload.object();
  if (payload.find(member) == nullptr || notice.type == expired_envelope) return;
  payload.set(member, nullptr);
  payload.set("dataOmitted", true);
  notice.payload = Value(std::move(payload));
  notice.json = render_json(notice.payload);
}

// A damaged document counts as absent. Other failures are returned, so the read is tried again.
Result<std::optional<Document>> readable(Result<std::optional<Document>> read) {
  if (read || read.error().code != Code::corrupt) return read;
  log(LogLevel::warn, "an event's document could not be read", {{"error", read.error().message}});
  return std::nullopt;
}

class NoticeWriter {
 public:
  NoticeWriter(View& view, const StructurePtr& structure, std::string_view workspace,
               std::size_t& bytes)
      : view_(view), structure_(structure), workspace_(workspace), bytes_(bytes) {}

  // The notices of one commit.
  Result<void> append_commit(std::span<const Event> commit, std::vector<Notice>& out) {
    for (const KindRow& row : kinds) {
      std::vector<const Event*> events;
      for (const Event& event : commit) {
        if (event.kind == row.kind) events.push_back(&event);
      }
      if (events.size() > 1 && !row.many.empty()) {
        TRY(append_many(row, events, out));
        continue;
      }
      for (const Event* event : events) TRY(append_one(row, *event, out));
    }
    return {};
  }

 private:
  // The version that held at that instant; nothing if the history does not reach so far back.
  Result<std::optional<Document>> version_at(const Event& event, Instant t) {
    const auto lens = view_.as_of(t, *structure_->collection);
    if (!lens) return std::nullopt;
    return readable(view_.get(*structure_->collection, event.key, *lens));
  }
  Result<std::optional<Document>> version_of(const Event& event) {
    auto found = TRY(version_at(event, event.version_at));
    if (found) return found;
    // The living version and the archived one can always be read, whatever their age.
    auto living = TRY(readable(view_.get(*structure_->collection, event.key, view_.live())));
    if (living && living->version.written_at == event.version_at) return living;
    if (auto archived = TRY(archived_by(event))) return archived;
    // No lens sees a version that had expired at its first instant.
    auto versions = view_.history(*structure_->collection, event.key);
    if (!versions && versions.error().code == Code::corrupt) return std::nullopt;
    for (Document& version : TRY(std::move(versions))) {
      if (version.version.written_at == event.version_at) return std::move(version);
    }
    return std::nullopt;
  }

  Result<std::optional<Document>> archived_by(const Event& event) {
    if (event.kind != Event::Kind::removed) return std::nullopt;
    auto archived = TRY(readable(view_.get_removed(*structure_->collection, event.key)));
    if (!archived || archived->version.removed_at != event.committed_at) return std::nullopt;
    return archived;
  }

  Result<Value> data_of(const Event& event, const std::optional<Document>& version) {
    const Value data = version ? version->body.unpack() : Value(nullptr);
    if (event.kind != Event::Kind::replaced) return data;
    const auto before = TRY(version_at(event, event.committed_at - Span{1}));
    return Value(
        Object{{"before", before ? before->body.unpack() : Value(nullptr)}, {"after", data}});
  }

  // The author of the change; for a deletion the archive has it.
  Result<Value> author_of(const Event& event, const std::optional<Document>& version) {
    if (event.kind != Event::Kind::removed) {
      return version ? text_or_null(version->updater) : Value(nullptr);
    }
    const auto archived = TRY(archived_by(event));
    return archived ? text_or_null(archived->updater) : Value(nullptr);
  }

  Object begin(std::string_view type, Instant at) const {
    return Object{{"event", type},
                  {"workspaceSlug", workspace_},
                  {"recordSlug", structure_->slug},
                  {"structureId", structure_->id},
                  {"timestamp", render_time(at)}};
  }

  Result<void> append_one(const KindRow& row, const Event& event, std::vector<Notice>& out) {
    const auto version = TRY(version_of(event));
    Object payload = begin(row.one, event.committed_at);
    payload.set("recordId", event.key.id);
    if (!row.by.empty()) payload.set(row.by, TRY(author_of(event, version)));
    if (event.kind == Event::Kind::expired) payload.set("expiresAt", render_time(event.death));
    payload.set("data", TRY(data_of(event, version)));
    add(row.one, event, std::move(payload), out);
    if (event.kind == Event::Kind::expired) add_envelope(event, out);
    return {};
  }

  void add_envelope(const Event& event, std::vector<Notice>& out) const {
    Object payload{
        {"event", expired_envelope},
        {"timestamp", render_time(event.committed_at)},
        {"workspace", workspace_},
        {"data",
         Object{{"record", Object{{"id", event.key.id}, {"structureId", structure_->id}}}}}};
    add(expired_envelope, event, std::move(payload), out);
  }

  Result<void> append_many(const KindRow& row, const std::vector<const Event*>& events,
                           std::vector<Notice>& out) {
    Array ids;
    for (const Event* event : events) ids.push_back(event->key.id);
    const Event& first = *events.front();
    Object payload = begin(row.many, first.committed_at);
    payload.set("count", static_cast<std::int64_t>(ids.size()));
    payload.set("recordIds", std::move(ids));
    payload.set(row.by, TRY(author_of(first, TRY(version_of(first)))));
    add(row.many, first, std::move(payload), out);
    return {};
  }

  void add(std::string_view type, const Event& event, Object payload,
           std::vector<Notice>& out) const {
    Notice notice{.committed_at = event.committed_at,
                  .structure = structure_,
                  .type = std::string(type),
                  .payload = Value(std::move(payload))};
    render_json(notice.payload, notice.json);
    const bool is_large = notice.json.size() > limits::event_bytes_max ||
                          bytes_ + notice.json.size() > limits::event_page_bytes_max;
    if (is_large) leave_out("data", notice);
    if (notice.json.size() > limits::event_bytes_max) leave_out("recordIds", notice);
    bytes_ += notice.json.size();
    out.push_back(std::move(notice));
  }

  View& view_;
  const StructurePtr& structure_;
  std::string_view workspace_;
  std::size_t& bytes_;
};

}  // namespace

bool is_event_name(std::string_view name) {
  return std::find(std::begin(event_names), std::end(event_names), name) != std::end(event_names);
}

std::vector<std::string_view> usual_event_names() {
  std::vector<std::string_view> names;
  for (const std::string_view name : event_names) {
    if (name != expired_envelope) names.push_back(name);
  }
  return names;
}

std::string render(const EventPosition& position) {
  std::string text = std::to_string(position.committed_at.micros);
  if (position == EventPosition::behind(position.committed_at)) return text;
  return text + '.' + std::to_string(position.part >> number_bits) + '.' +
         std::to_string(position.part & UINT32_MAX);
}

Result<EventPosition> parse_position(std::string_view text, const char* field) {
  const std::size_t dot = text.find('.');
  const std::int64_t micros = TRY(parse_integer(
      text.substr(0, dot), field, limits::instant_min.micros, limits::instant_max.micros));
  const Instant commit{micros};
  if (dot == std::string_view::npos) return EventPosition::behind(commit);
  const std::string_view rest = text.substr(dot + 1);
  const std::size_t next = std::min(rest.find('.'), rest.size() - 1);
  const std::int64_t collection = TRY(parse_integer(rest.substr(0, next), field, 0, UINT32_MAX));
  const std::int64_t number = TRY(parse_integer(rest.substr(next + 1), field, 0, UINT32_MAX));
  return EventPosition{
      commit, part_of(static_cast<CollectionId>(collection), static_cast<std::uint32_t>(number))};
}

EventPosition position_of(const Notice& notice) {
  if (notice.ends_commit) return EventPosition::behind(notice.committed_at);
  return {notice.committed_at, part_of(notice.structure->collection->id, notice.number)};
}

void leave_out_all(Notice& notice) {
  for (const std::string_view member : {"data", "recordIds"}) leave_out(member, notice);
}

Result<void> append_notices(View& view, const StructurePtr& structure, std::string_view workspace,
                            std::span<const Event> commit, std::size_t& bytes,
                            std::vector<Notice>& out) {
  return NoticeWriter(view, structure, workspace, bytes).append_commit(commit, out);
}

}  // namespace mayfly::centrali
