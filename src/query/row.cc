#include "query/row.h"

#include "db/keys.h"
#include "expr/meter.h"

namespace mayfly::query {

Value Row::field(Slot slot, const Field& field) const {
  if (const Value* found = find(slot, field)) return *found;
  if (slot != 0 || !document || (value && field.part == Part::body)) return Value();
  return mayfly::field(*document, field);
}

const Value* Row::find(Slot slot, const Field& field) const {
  if (field.part != Part::body) return nullptr;
  if (slot == 0) return value ? find_at(*value, field.path) : nullptr;
  for (const BoundItem& item : bound) {
    if (item.slot == slot) return find_at(item.value, field.path);
  }
  return nullptr;
}

const Packed* Row::packed() const {
  return document && !value ? &document->body : nullptr;
}

Value Row::whole() const {
  if (value) return *value;
  return document ? document->body.unpack() : Value();
}

const Document* document_of(const Scope& scope) {
  const Scope& around = scope.row();
  if (const auto* alone = dynamic_cast<const DocumentScope*>(&around)) return &alone->document();
  const auto* row = dynamic_cast<const Row*>(&around);
  return row != nullptr && row->document ? &*row->document : nullptr;
}

std::size_t weight(const Row& row) {
  std::size_t sum = sizeof(Row);
  if (row.document) sum += row.document->key.size() + row.document->body.bytes().size();
  if (row.value) sum += weight(*row.value);
  for (const BoundItem& item : row.bound) sum += sizeof(BoundItem) + weight(item.value);
  return sum;
}

Document detached(const Document& document) {
  const BytesView parts[] = {document.key, document.author, document.updater, document.facet,
                             document.body.bytes()};
  std::size_t size = 0;
  for (const BytesView part : parts) size += part.size();
  auto bytes = std::make_shared<std::string>();
  bytes->reserve(size);  // so that the views below stay where they are
  const auto keep = [&](BytesView part) {
    const std::size_t at = bytes->size();
    bytes->append(part);
    return BytesView(bytes->data() + at, part.size());
  };
  Document copy = document;
  copy.key = keep(document.key);
  copy.id = copy.key.substr(copy.key.size() - document.id.size());
  copy.author = keep(document.author);
  copy.updater = keep(document.updater);
  copy.facet = keep(document.facet);
  copy.body = Packed(keep(document.body.bytes()));
  copy.keeps = std::move(bytes);
  return copy;
}

}  // namespace mayfly::query
