#include "db/rows/document.h"

#include <charconv>

#include "db/rows/keys.h"

namespace mayfly {
namespace {

Value time_or_null(Instant t) {
  return t.is_never() ? Value(Null{}) : Value(t);
}
Value text_or_null(std::string_view text) {
  return text.empty() ? Value(Null{}) : Value(text);
}

// The id as a number if it is written as one, else as text.
Value number_or_text(std::string_view id) {
  const bool begins_one = id == "0" || (id[0] >= '1' && id[0] <= '9');
  std::int64_t number = 0;
  const char* const end = id.data() + id.size();
  const auto [rest, error] = std::from_chars(id.data(), end, number);
  return begins_one && error == std::errc() && rest == end ? Value(number) : Value(id);
}

}  // namespace

Result<void> check(const DocumentKey& key) {
  if (key.id.empty()) return fail(Code::invalid, "an id must not be empty", "id");
  if (key.id.size() > limits::document_id_bytes_max) {
    return fail(Code::invalid,
                "an id has at most " + std::to_string(limits::document_id_bytes_max) + " bytes",
                "id");
  }
  if (key.id.find('\0') != std::string::npos) {
    return fail(Code::invalid, "an id must not contain the character U+0000", "id");
  }
  if (key.routing.size() > limits::routing_bytes_max) {
    return fail(Code::too_large, "the partition key is too long", "partition key");
  }
  return {};
}

DocumentKey Document::document_key() const {
  auto decoded = keys::decode_document_key(key);
  return decoded ? *std::move(decoded) : DocumentKey{{}, std::string(id)};
}

Value metadata(const Document& document, std::string_view name) {
  if (name == "id") return Value(document.id);
  if (name == "id_number") return number_or_text(document.id);
  if (name == "created_at") return Value(document.created_at);
  if (name == "written_at") return Value(document.version.written_at);
  if (name == "updated_at") {
    return document.has_been_updated() ? Value(document.version.written_at) : Value(Null{});
  }
  if (name == "expires_at") return time_or_null(document.death);
  if (name == "ends_at") {
    const At* at = std::get_if<At>(&document.version.lifetime);
    return at == nullptr ? Value(Null{}) : Value(at->instant);
  }
  if (name == "removed_at") return time_or_null(document.version.removed_at);
  if (name == "revision") return Value(static_cast<std::int64_t>(document.revision));
  if (name == "author") return text_or_null(document.author);
  if (name == "updater") return text_or_null(document.updater);
  return Missing{};
}

Value field(const Document& document, const Field& field) {
  if (field.part == Part::body) return document.body.at(field.path);
  if (field.path.steps.size() != 1) return Missing{};
  const auto* name = std::get_if<std::string>(&field.path.steps.front());
  return name == nullptr ? Value(Missing{}) : metadata(document, *name);
}

}  // namespace mayfly
