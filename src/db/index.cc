// Index entries of a document. A missing field is indexed as missing, so an index holds every
// document.
#include "db/keys.h"
#include "db/transaction_state.h"
#include "value/sort_key.h"

namespace mayfly {
namespace {

Result<void> put_field(Bytes& row, const IndexField& indexed, const Value& value) {
  auto put = put_sort_key(row, value, indexed.is_descending);
  if (put) return {};
  Error error = std::move(put).error();
  error.field = indexed.field.render();
  error.message =
      "the value of " + error.field + " is indexed, and too long for that: " + error.message;
  return tl::unexpected(std::move(error));
}

}  // namespace

Result<std::vector<Bytes>> entries_of(const Collection& collection, const Document& document) {
  std::vector<Bytes> rows;
  rows.reserve(collection.indexes.size());
  for (const Index& index : collection.indexes) {
    Bytes row = keys::index(collection.id, index.id);
    for (const IndexField& indexed : index.fields) {
      TRY(put_field(row, indexed, field(document, indexed.field)));
    }
    row.append(document.key);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Bytes> old_entries_of(const Collection& collection, const Document& document) {
  std::vector<Bytes> rows;
  Collection one;
  one.id = collection.id;
  for (const Index& index : collection.indexes) {
    one.indexes = {index};
    if (auto entries = entries_of(one, document)) rows.push_back(std::move(entries->front()));
  }
  return rows;
}

Result<std::optional<Bytes>> unique_prefix(const Collection& collection, const Index& index,
                                           const Document& document) {
  Bytes prefix = keys::index(collection.id, index.id);
  for (const IndexField& indexed : index.fields) {
    const Value value = field(document, indexed.field);
    if (value.is_missing()) return std::nullopt;
    TRY(put_field(prefix, indexed, value));
  }
  return prefix;
}

}  // namespace mayfly
