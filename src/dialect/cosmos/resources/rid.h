// Resource ids: bytes that name a resource and all its owners, as base64 with '-' for '/'.
//
//   database                4   number, big endian
//   container               8   database, number with the top bit of its first byte set
//   user                    8   database, number with that bit clear
//   document and others    16   container or user, number (little endian, 60 bits) below a nibble
//                               that says the kind
//   client encryption key  12   database, number (little endian, 60 bits)
//   attachment             20   document, number (big endian)
//   offer                   3   number, little endian
//
// The id of an attachment's own media is its rid with one more byte, which is the number of a store
// in the service.
//
// Source: spec cosmos.md, section 1.3. Numbers of databases and containers are those of the
// catalog. The creator of a document assigns it an increasing number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "db/catalog/catalog.h"
#include "dialect/cosmos/resources/resource.h"

namespace mayfly::cosmos {

Bytes database_rid(DatabaseId database);
Bytes container_rid(const Collection& collection);
Bytes user_rid(DatabaseId database, std::uint32_t number);
// The rid of a resource in a container or user, or of a client encryption key in a database.
Bytes child_rid(BytesView owner, ResourceKind kind, std::uint64_t number);
Bytes attachment_rid(BytesView document_rid, std::uint32_t number);
Bytes offer_rid(std::uint32_t number);

std::string render_rid(BytesView rid);
// Nothing if the text is no rid of any kind; the id of media is none.
std::optional<Bytes> parse_rid(std::string_view text);

// The parts of a rid. Nothing if a rid of that size has no such part.
std::optional<DatabaseId> database_of(BytesView rid);
// The container of its own rid, and of rids of resources in it.
std::optional<CollectionId> container_of(BytesView rid);
std::optional<std::uint32_t> user_of(BytesView rid);
// The number of a rid of 16 bytes.
std::optional<std::uint64_t> number_of(BytesView rid);
std::optional<std::uint32_t> offer_of(BytesView rid);
// The parts of an attachment's rid: its document's rid, and its own number.
struct AttachmentRid {
  Bytes document;
  std::uint32_t number = 0;
};
std::optional<AttachmentRid> attachment_of(BytesView rid);

std::string media_id(BytesView attachment_rid);
// The rid of the attachment whose media has that id; nothing if the id is malformed.
std::optional<Bytes> attachment_of_media(std::string_view id);

}  // namespace mayfly::cosmos
