#include "query/running/row.h"

#include <array>
#include <tuple>

#include "db/rows/keys.h"
#include "expr/evaluation/meter.h"

namespace mayfly::query {

Value QueryRow::field(Slot slot, const Field& field) const {
  if (const Value* found = find(slot, field)) return *found;
  if (around != nullptr && !(slot == 0 && value)) return around->field(slot, field);
  if (slot != 0 || !document || (value && field.part == Part::body)) return Value();
  return mayfly::field(*document, field);
}

const Value* QueryRow::find(Slot slot, const Field& field) const {
  if (field.part != Part::body) return nullptr;
  if (slot == 0 && value) return find_at(*value, field.path);
  for (const BoundItem& item : bound) {
    if (item.slot == slot) return find_at(item.value, field.path);
  }
  return around != nullptr ? around->find(slot, field) : nullptr;
}

const Packed* QueryRow::packed() const {
  if (value) return nullptr;
  if (document) return &document->body;
  return around != nullptr ? around->packed() : nullptr;
}

Value QueryRow::whole() const {
  if (value) return *value;
  return document ? document->body.unpack() : Value();
}

const Document* document_of(const Scope& scope) {
  const Scope& around = scope.row();
  if (const auto* alone = dynamic_cast<const DocumentScope*>(&around)) return &alone->document();
  const auto* row = dynamic_cast<const QueryRow*>(&around);
  return row != nullptr && row->document ? &*row->document : nullptr;
}

namespace {

// All bytes that a document refers to; the id is the end of its key. A new member of Document does
// not compile here until it is handled.
std::array<BytesView, 6> parts_of(const Document& document) {
  const auto& [key, id, version, death, created_at, revision, author, updater, facet, hold,
               lifetime_is_requested, has_expired, specified_its_lifetime, body, keeps, computed] =
      document;
  return {key, author, updater, facet, hold, body.bytes()};
}

std::size_t bytes_of(const Document& document) {
  std::size_t sum = 0;
  for (const BytesView part : parts_of(document)) sum += part.size();
  return sum;
}

}  // namespace

std::size_t weight(const QueryRow& row) {
  std::size_t sum = sizeof(QueryRow);
  if (row.document) sum += bytes_of(*row.document);
  if (row.value) sum += weight(*row.value);
  for (const BoundItem& item : row.bound) sum += sizeof(BoundItem) + weight(item.value);
  return sum;
}

Document detached(const Document& document) {
  auto bytes = std::make_shared<std::string>();
  bytes->reserve(bytes_of(document));  // so that the views below stay valid
  auto kept = parts_of(document);
  for (BytesView& part : kept) {
    const std::size_t at = bytes->size();
    bytes->append(part);
    part = BytesView(bytes->data() + at, part.size());
  }
  Document copy = document;
  BytesView body;
  std::tie(copy.key, copy.author, copy.updater, copy.facet, copy.hold, body) = std::tuple_cat(kept);
  copy.id = copy.key.substr(copy.key.size() - document.id.size());
  copy.body = Packed(body);
  copy.keeps = std::move(bytes);
  copy.computed = nullptr;  // another thread may get the copy
  return copy;
}

}  // namespace mayfly::query
