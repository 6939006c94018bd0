#include "dialect/native/documents/envelope.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "db/rows/keys.h"
#include "db/rows/partition.h"
#include "db/rows/records.h"
#include "dialect/common/limits.h"
#include "dialect/common/requests/selected_fields.h"
#include "dialect/native/headers/conditions.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::native {
namespace {

void render_text_or_null(std::string_view name, std::string_view text, std::string& out) {
  out += ",\"";
  out += name;
  out += "\":";
  if (text.empty()) {
    out += "null";
  } else {
    render_json_text(text, out);
  }
}

constexpr std::size_t no_routing_bytes = 2;  // only its end

std::string_view kind_of(const Lifetime& lifetime) {
  if (std::holds_alternative<Never>(lifetime)) return "never";
  if (std::holds_alternative<After>(lifetime)) return "after";
  if (std::holds_alternative<At>(lifetime)) return "at";
  return "inherit";
}

// "lifetime":"after","after":60 with a comma before it.
void render_lifetime(const Lifetime& lifetime, std::string& out) {
  out += fmt::format(R"(,"lifetime":"{}")", kind_of(lifetime));
  const After* after = std::get_if<After>(&lifetime);
  if (after != nullptr) out += fmt::format(R"(,"after":{})", after->span.whole_seconds());
}

// Renders a hold, with the lifetime that applies after its release.
void render_hold(BytesView encoded, std::string& out) {
  const auto hold = records::decode_hold(encoded);
  if (!hold) return;
  out += R"(,"hold":{"reason":)";
  render_json_text(hold->reason, out);
  render_text_or_null("by", hold->by, out);
  render_time("held_at", hold->held_at, out);
  render_lifetime(hold->lifetime, out);
  const At* at = std::get_if<At>(&hold->lifetime);
  if (at != nullptr) render_time("expires_at", at->instant, out);
  out += '}';
}

void render_partition_of(const Document& document, std::string& out) {
  const BytesView routing = keys::routing_of(document.key);
  if (routing.size() <= no_routing_bytes) return;
  out += R"(,"partition":)";
  out += render_partition(document.document_key().routing);
}

// An unclosed object with everything except the body.
void render_facts(const Document& document, std::string& out) {
  out += R"({"id":)";
  render_json_text(document.id, out);
  render_partition_of(document, out);
  render_time("created_at", document.created_at, out);
  render_time("written_at", document.version.written_at, out);
  render_time("expires_at", document.death, out);
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), document.revision).ptr;
  out += R"(,"revision":)";
  out.append(digits.data(), end);
  out += R"(,"etag":")";
  out += etag_of(document.version);
  out += '"';
  render_text_or_null("author", document.author, out);
  render_text_or_null("updater", document.updater, out);
  if (!document.hold.empty()) render_hold(document.hold, out);
}

void render_selected(const Document& document, const Selection& selection, std::string& out) {
  Value selected = Object();
  for (const Path& path : selection.members) {
    Value value = document.body.at(path);
    if (value.is_missing()) continue;
    // Cannot fail: no selected path lies within another.
    (void)set_at(selected, path, std::move(value));
  }
  render_json(selected, out);
}

void render_data(const Document& document, std::string& out) {
  out += R"(,"data":)";
  document.body.render(out);
  out += '}';
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

void render_time(std::string_view name, Instant t, std::string& out) {
  out += ",\"";
  out += name;
  if (t.is_never()) {
    out += "\":null";
    return;
  }
  out += "\":\"";
  append_rfc3339(t, out);
  out += '"';
}

void render_document(const Document& document, const Selection& selection, std::string& out) {
  out.reserve(out.size() + 320 + document.body.bytes().size());
  render_facts(document, out);
  if (selection.shows_lifetime_kind) render_lifetime(document.version.lifetime, out);
  if (selection.members.empty()) return render_data(document, out);
  out += R"(,"data":)";
  render_selected(document, selection, out);
  out += '}';
}

void render_removed(const Document& document, std::string& out) {
  render_facts(document, out);
  render_time("removed_at", document.version.removed_at, out);
  if (document.has_expired) out += R"(,"expired":true)";
  render_data(document, out);
}

void render_version(const Document& document, std::string& out) {
  render_facts(document, out);
  render_time("superseded_at", document.version.superseded_at, out);
  render_data(document, out);
}

}  // namespace mayfly::native
