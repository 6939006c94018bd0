// Decodes the tagged format. Recursion is bounded by the depth of the JSON that was parsed.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/crypto/crypto.h"
#include "dialect/fauna/values/stored.h"
#include "dialect/fauna/values/text/ids.h"
#include "dialect/fauna/values/text/times.h"
#include "dialect/fauna/wire/formats/tagged.h"

namespace mayfly::fauna {
namespace {

tl::unexpected<Error> refuse(std::string reason) {
  return fail(Code::invalid, std::move(reason));
}

template <class Number>
std::optional<Number> whole_text(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

Result<FqlValue> decode_int(const std::string& text) {
  const auto n = whole_text<std::int32_t>(text);
  if (!n) return refuse("invalid integer");
  return *n;
}

Result<FqlValue> decode_long(const std::string& text) {
  const auto n = whole_text<std::int64_t>(text);
  if (!n) return refuse("invalid long");
  return long_number(*n);
}

// The library's names for non-finite numbers ("nan", "inf") are not allowed in the format.
Result<FqlValue> decode_double(const std::string& text) {
  using Limits = std::numeric_limits<double>;
  if (text == "NaN") return Limits::quiet_NaN();
  if (text == "Infinity") return Limits::infinity();
  if (text == "-Infinity") return -Limits::infinity();
  const auto d = whole_text<double>(text);
  if (!d || !std::isfinite(*d)) return refuse("invalid double");
  return *d;
}

Result<FqlValue> decode_time(const std::string& text) {
  const auto t = parse_time(text);
  if (!t) return refuse("invalid time");
  return *t;
}

Result<FqlValue> decode_date(const std::string& text) {
  const auto date = parse_day(text);
  if (!date) return refuse("invalid date");
  return *date;
}

Result<FqlValue> decode_bytes(const std::string& text) {
  auto bytes = decode_base64(text);
  if (!bytes) return refuse("invalid bytes");
  return ByteText{*std::move(bytes)};
}

Result<FqlValue> decode_uuid(const std::string& text) {
  constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  const bool is_uuid =
      std::equal(text.begin(), text.end(), form.begin(), form.end(), [](char c, char at) {
        const bool is_hex =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        return at == '-' ? c == '-' : is_hex;
      });
  if (!is_uuid) return refuse("invalid uuid");
  return Uuid{text};
}

Result<FqlValue> decode_id(const std::string& text) {
  const auto digits = id_text(FqlValue(text));
  if (!digits || digits->starts_with('-')) return refuse("invalid id");
  return Id{*digits};
}

Result<FqlValue> decode_cursor(const std::string& text) {
  return SetCursor{text};
}

Result<FqlValue> decode_event_source(const std::string& text) {
  return EventSourceToken{text};
}

// A tag with a text as its value.
struct TextTag {
  std::string_view tag;
  Result<FqlValue> (*decode)(const std::string& text);
  std::string_view not_text;  // the reason if it is no text
};
constexpr TextTag text_tags[] = {
    {"@int", decode_int, "invalid integer"},
    {"@long", decode_long, "invalid long"},
    {"@double", decode_double, "invalid double"},
    {"@time", decode_time, "invalid time"},
    {"@date", decode_date, "invalid date"},
    {"@bytes", decode_bytes, "invalid bytes"},
    {"@uuid", decode_uuid, "invalid uuid"},
    {"@id", decode_id, "invalid id"},
    {"@set", decode_cursor, "invalid set"},
    {"@stream", decode_event_source, "invalid event source"},
};

Result<ModulePtr> decode_module(const FqlValue& json, const Names& names) {
  if (!json.is(FqlKind::text)) return refuse("invalid module");
  ModulePtr module = names.find_module(json.text());
  if (module == nullptr) return refuse(fmt::format("no such module '{}'", json.text()));
  return module;
}

// `tag` is "@doc" or "@ref".
Result<FqlValue> decode_id_reference(std::string_view tag, const Module& collection,
                                     const FqlValue* id) {
  if (id == nullptr) return refuse(fmt::format("{} field 'id' is required", tag));
  if (!id->is(FqlKind::text)) {
    return refuse(fmt::format("{} field 'id' requires a string value", tag));
  }
  const auto number = whole_text<std::int64_t>(id->text());
  if (!number) return refuse(fmt::format("{} field 'id' must be an integer", tag));
  return DocumentHandle{.collection = collection.name, .id = fmt::to_string(*number)};
}

Result<FqlValue> decode_named_reference(std::string_view tag, const Module& collection,
                                        const FqlValue* name, const Names& names) {
  if (name == nullptr) return refuse(fmt::format("{} field 'name' is required", tag));
  if (!name->is(FqlKind::text)) {
    return refuse(fmt::format("{} field 'name' requires a string value", tag));
  }
  if (!names.has_named_document(collection.name, name->text())) {
    return refuse(fmt::format("no such schema object '{}'", name->text()));
  }
  return DocumentHandle{.collection = collection.name, .id = name->text(), .is_named = true};
}

// The form of older clients: "Foo:123".
Result<FqlValue> decode_short_reference(std::string_view tag, const std::string& text,
                                        const Names& names) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return refuse(fmt::format("{} field 'id' is required", tag));
  const ModulePtr collection = TRY(decode_module(text.substr(0, colon), names));
  const FqlValue id(text.substr(colon + 1));
  return has_named_documents(collection->name)
             ? decode_named_reference(tag, *collection, &id, names)
             : decode_id_reference(tag, *collection, &id);
}

Result<FqlValue> decode_reference(std::string_view tag, const FqlValue& json, const Names& names) {
  if (json.is(FqlKind::text)) return decode_short_reference(tag, json.text(), names);
  const FqlValue* const coll = json.is(FqlKind::object) ? json.object().find("coll") : nullptr;
  if (coll == nullptr) return refuse(fmt::format("{} field 'coll' is required", tag));
  const FqlValue* const module = coll->is(FqlKind::object) && coll->object().size() == 1
                                     ? coll->object().find("@mod")
                                     : nullptr;
  if (module == nullptr) return refuse(fmt::format("{} field 'coll' requires a module", tag));
  const ModulePtr collection = TRY(decode_module(*module, names));
  return has_named_documents(collection->name)
             ? decode_named_reference(tag, *collection, json.object().find("name"), names)
             : decode_id_reference(tag, *collection, json.object().find("id"));
}

Result<FqlValue> decode_members(const FqlObject& members, const Names& names) {
  FqlObject object;
  for (const auto& [name, value] : members.members()) {
    object.append(name, TRY(decode_tagged(value, names)));
  }
  return object;
}

Result<FqlValue> decode_tag(const std::string& tag, const FqlValue& value, const Names& names) {
  for (const TextTag& row : text_tags) {
    if (row.tag != tag) continue;
    if (!value.is(FqlKind::text)) return refuse(std::string(row.not_text));
    return row.decode(value.text());
  }
  if (tag == "@mod") return TRY(decode_module(value, names));
  if (tag == "@doc" || tag == "@ref") return decode_reference(tag, value, names);
  if (tag == "@object") {
    if (!value.is(FqlKind::object)) return refuse("invalid object");
    return decode_members(value.object(), names);
  }
  return refuse(fmt::format("invalid tag '{}'", tag));
}

Result<FqlValue> decode_object(const FqlObject& object, const Names& names) {
  const auto tag = std::find_if(object.members().begin(), object.members().end(),
                                [](const auto& member) { return member.first.starts_with('@'); });
  if (tag == object.members().end()) return decode_members(object, names);
  if (object.size() != 1) return refuse("too many keys in tagged value");
  return decode_tag(tag->first, tag->second, names);
}

Result<FqlValue> decode_items(const FqlArray& items, const Names& names) {
  FqlArray array;
  array.reserve(items.size());
  for (const FqlValue& item : items) array.push_back(TRY(decode_tagged(item, names)));
  return array;
}

}  // namespace

Result<FqlValue> decode_tagged(const FqlValue& json, const Names& names) {
  switch (json.kind()) {
    case FqlKind::whole:
    case FqlKind::real: return refuse("numbers must be tagged");
    case FqlKind::array: return decode_items(json.array(), names);
    case FqlKind::object: return decode_object(json.object(), names);
    default: return json;
  }
}

}  // namespace mayfly::fauna
