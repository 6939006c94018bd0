#include "dialect/cosmos/documents/document.h"

#include <algorithm>
#include <iterator>

#include "dialect/cosmos/documents/rid_numbers.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "value/packed/packed.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view system_properties[] = {"_rid", "_self",        "_etag",
                                                  "_ts",  "_attachments", "_lsn"};
constexpr std::string_view attachments_link = "attachments/";
constexpr std::string_view forbidden_in_ids = "/\\#";

Error with_size_message(Error error) {
  if (error.code == Code::too_large) {
    error.message = "Request size is too large: " + error.message;
  }
  return error;
}

Result<Bytes> pack_body(std::string_view text) {
  Bytes packed = TRY(pack_json(text).map_error(with_size_message));
  const Packed body(packed);
  const bool has_any =
      std::any_of(std::begin(system_properties), std::end(system_properties),
                  [&body](std::string_view name) { return !body.raw_member(name).empty(); });
  if (!has_any) return packed;
  Value value = body.unpack();
  for (const std::string_view name : system_properties) value.mutable_object().remove(name);
  return pack(value);
}

Result<std::string> read_id(const Value& id) {
  if (!id.is(Kind::text)) {
    return tl::unexpected(bad_request(
        "The input content is invalid because the required properties - 'id; ' - are missing. One "
        "of the specified inputs is invalid",
        "id"));
  }
  const std::string& text = id.text();
  if (text.empty() || text.find_first_of(forbidden_in_ids) != std::string::npos) {
    return tl::unexpected(
        bad_request("The input name '" + text +
                        "' is invalid. Ensure to provide a unique non-empty string "
                        "less than '1024' characters, without any of / \\ #",
                    "id"));
  }
  TRY(check(DocumentKey::of(text)));
  return text;
}

Result<NewDocument> take_apart(Bytes packed, const Definition& definition) {
  NewDocument made;
  const Packed body(packed);
  made.id = TRY(read_id(body.member("id")));
  made.ttl = body.member("ttl");
  PartitionValues values;
  for (const Path& path : definition.key.paths) {
    Value value = body.at(path);
    const bool is_scalar = !value.is(Kind::array) && !value.is(Kind::object);
    values.push_back(is_scalar ? std::move(value) : Value());
  }
  made.routing = routing_of(definition.key, values);
  made.packed = std::move(packed);
  return made;
}

}  // namespace

bool is_system_property(std::string_view name) {
  return std::find(std::begin(system_properties), std::end(system_properties), name) !=
         std::end(system_properties);
}

Bytes rid_of(const Container& container, const Document& document) {
  return child_rid(container.rid, ResourceKind::document, number_of(document));
}

std::string self_link_of(const Container& container, BytesView document_rid) {
  return container.self_link() + "docs/" + render_rid(document_rid) + '/';
}

void render_document(const Container& container, const Document& document, std::string& out) {
  JsonWriter json(out);
  json.begin_object();
  render_document_members(container, document, json);
  json.end_object();
}

void render_document_members(const Container& container, const Document& document,
                             JsonWriter& json) {
  const Bytes rid = rid_of(container, document);
  // Other dialects store ids beside bodies.
  if (document.body.raw_member("id").empty()) json.member("id", document.id);
  // If the body is empty, the system properties follow the comma that begin_value() may put.
  document.body.render_members(json.begin_value());
  render_system_properties({.rid = rid,
                            .self = self_link_of(container, rid),
                            .changed_at = document.version.written_at,
                            .attachments = attachments_link},
                           json);
}

Value document_value(const Container& container, const Document& document) {
  Value value = document.body.unpack();
  if (!value.is(Kind::object)) value = Object();
  Object& object = value.mutable_object();
  if (object.find("id") == nullptr) object.set("id", document.id);
  const Bytes rid = rid_of(container, document);
  object.set("_rid", render_rid(rid));
  object.set("_self", self_link_of(container, rid));
  object.set("_etag", etag_of(document.version.written_at));
  object.set("_attachments", attachments_link);
  object.set("_ts", document.version.written_at.whole_seconds());
  return value;
}

Result<NewDocument> parse_document(std::string_view body, const Definition& definition) {
  return take_apart(TRY(pack_body(body)), definition);
}

Result<NewDocument> take_document(const Value& body, const Definition& definition) {
  if (!body.is(Kind::object)) {
    return tl::unexpected(bad_request("The document body must be an object"));
  }
  Value clean = body;
  for (const std::string_view name : system_properties) clean.mutable_object().remove(name);
  return take_apart(TRY(pack(clean).map_error(with_size_message)), definition);
}

}  // namespace mayfly::cosmos
