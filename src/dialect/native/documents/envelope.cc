#include "dialect/native/documents/envelope.h"

#include <fmt/format.h>

#include "db/rows/keys.h"
#include "db/rows/partition.h"
#include "db/rows/records.h"
#include "dialect/common/limits.h"
#include "dialect/common/requests/selected_fields.h"
#include "dialect/native/headers/conditions.h"
#include "value/json/writer.h"

namespace mayfly::native {
namespace {

constexpr std::size_t no_routing_bytes = 2;  // only its end

std::string_view kind_of(const Lifetime& lifetime) {
  if (std::holds_alternative<Never>(lifetime)) return "never";
  if (std::holds_alternative<After>(lifetime)) return "after";
  if (std::holds_alternative<At>(lifetime)) return "at";
  return "inherit";
}

// "lifetime":"after","after":60
void render_lifetime(const Lifetime& lifetime, JsonWriter& json) {
  json.member("lifetime", kind_of(lifetime));
  const After* after = std::get_if<After>(&lifetime);
  if (after != nullptr) json.member("after", after->span.whole_seconds());
}

// Renders a hold, with the lifetime that applies after its release.
void render_hold(BytesView encoded, JsonWriter& json) {
  const auto hold = records::decode_hold(encoded);
  if (!hold) return;
  json.name("hold").begin_object();
  json.member("reason", hold->reason);
  json.text_or_null("by", hold->by);
  json.time_or_null("held_at", hold->held_at);
  render_lifetime(hold->lifetime, json);
  const At* at = std::get_if<At>(&hold->lifetime);
  if (at != nullptr) json.time_or_null("expires_at", at->instant);
  json.end_object();
}

void render_partition_of(const Document& document, JsonWriter& json) {
  const BytesView routing = keys::routing_of(document.key);
  if (routing.size() <= no_routing_bytes) return;
  json.raw_member("partition", render_partition(document.document_key().routing));
}

// An unclosed object with everything except the body.
void render_facts(const Document& document, JsonWriter& json) {
  json.begin_object();
  json.member("id", document.id);
  render_partition_of(document, json);
  json.time_or_null("created_at", document.created_at);
  json.time_or_null("written_at", document.version.written_at);
  json.time_or_null("expires_at", document.death);
  json.member("revision", document.revision);
  json.member("etag", etag_of(document.version));
  json.text_or_null("author", document.author);
  json.text_or_null("updater", document.updater);
  if (!document.hold.empty()) render_hold(document.hold, json);
}

Value selected_data(const Document& document, const Selection& selection) {
  Value selected = Object();
  for (const Path& path : selection.members) {
    Value value = document.body.at(path);
    if (value.is_missing()) continue;
    // Cannot fail: no selected path lies within another.
    (void)set_at(selected, path, std::move(value));
  }
  return selected;
}

// The body and the object's end.
void render_data(const Document& document, JsonWriter& json) {
  document.body.render(json.name("data").begin_value());
  json.end_object();
}

}  // namespace

Result<Path> parse_selected(std::string_view text) {
  auto path = Path::parse(text);
  bool names_only = path.has_value() && !path->steps.empty();
  for (std::size_t i = 0; names_only && i < path->steps.size(); ++i) {
    names_only = std::holds_alternative<std::string>(path->steps[i]);
  }
  if (names_only) return path;
  return fail(Code::invalid,
              fmt::format("'{}' is no name or path of names, as in address.city", text), "select");
}

Result<std::vector<Path>> parse_selection(std::string_view text) {
  std::vector<Path> selection;
  const auto path_of = [](const Path& path) -> const Path& { return path; };
  std::size_t fields = 0;
  for (bool more = true; more;) {
    if (++fields > limits::selected_fields_max) {
      return fail(Code::too_large,
                  fmt::format("\"select\" has at most {} fields", limits::selected_fields_max),
                  "select");
    }
    const std::size_t comma = text.find(',');
    add_selected(TRY(parse_selected(text.substr(0, comma))), path_of, selection);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return selection;
}

void render_document(const Document& document, const Selection& selection, std::string& out) {
  out.reserve(out.size() + 320 + document.body.bytes().size());
  JsonWriter json(out);
  render_facts(document, json);
  if (selection.shows_lifetime_kind) render_lifetime(document.version.lifetime, json);
  if (selection.members.empty()) return render_data(document, json);
  json.member("data", selected_data(document, selection));
  json.end_object();
}

void render_removed(const Document& document, std::string& out) {
  JsonWriter json(out);
  render_facts(document, json);
  json.time_or_null("removed_at", document.version.removed_at);
  if (document.has_expired) json.member("expired", true);
  render_data(document, json);
}

void render_version(const Document& document, std::string& out) {
  JsonWriter json(out);
  render_facts(document, json);
  json.time_or_null("superseded_at", document.version.superseded_at);
  render_data(document, json);
}

}  // namespace mayfly::native
