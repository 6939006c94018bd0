// A document on the wire.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "db/rows/document.h"
#include "dialect/cosmos/containers/container.h"
#include "value/json/writer.h"
#include "value/value.h"

namespace mayfly::cosmos {

Bytes rid_of(const Container& container, const Document& document);
std::string self_link_of(const Container& container, BytesView document_rid);

// Appends the body, followed by the system properties.
void render_document(const Container& container, const Document& document, std::string& out);
// Appends the same members, within an object that the caller begins and ends.
void render_document_members(const Container& container, const Document& document,
                             JsonWriter& json);
Value document_value(const Container& container, const Document& document);

// A document that a client sends: an object with an id. System properties are removed from it.
struct NewDocument {
  std::string id;
  Bytes packed;
  Value ttl;  // missing if there is none
  Bytes routing;
};
// From the text of a body, or from a value. Fails with invalid and too_large, with the service's
// messages.
Result<NewDocument> parse_document(std::string_view body, const Definition& definition);
Result<NewDocument> take_document(const Value& body, const Definition& definition);

// The properties of a document that only the system sets.
bool is_system_property(std::string_view name);

}  // namespace mayfly::cosmos
