// Index entries of a document. A missing field is indexed as missing (as null where that is what it
// counts as), so an index holds every document. An index of cut values takes any: its stand-ins fit
// a row's key beside the longest document key.
#include "db/keys.h"
#include "db/transaction_state.h"
#include "lifetime/lens.h"
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

Value indexed_value(const Index& index, const IndexField& indexed, const Document& document) {
  Value value = field(document, indexed.field);
  if (value.is_missing() && index.unique == Uniqueness::of_routing) return Null();
  return value;
}

// What all entries with the document's values begin with; nothing where the document is not held
// to the index.
Result<std::optional<Bytes>> held_prefix(const Collection& collection, const Index& index,
                                         const Document& document) {
  if (index.unique == Uniqueness::none) return std::nullopt;
  Bytes prefix = keys::index(collection.id, index.id);
  for (const IndexField& indexed : index.fields) {
    const Value value = indexed_value(index, indexed, document);
    if (value.is_missing()) return std::nullopt;
    TRY(put_field(prefix, indexed, value));
  }
  return prefix;
}

// Whether documents with these keys may not have the same values.
bool are_rivals(const Index& index, BytesView a, BytesView b) {
  if (a == b) return false;
  return index.unique != Uniqueness::of_routing || keys::routing_of(a) == keys::routing_of(b);
}

}  // namespace

Result<std::vector<Bytes>> entries_of(const Collection& collection, const Document& document) {
  std::vector<Bytes> rows;
  rows.reserve(collection.indexes.size());
  for (const Index& index : collection.indexes) {
    Bytes row = keys::index(collection.id, index.id);
    for (const IndexField& indexed : index.fields) {
      const Value value = indexed_value(index, indexed, document);
      TRY(put_field(row, indexed, held_in(index, value).value));
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

Result<bool> is_taken(View& view, const Collection& collection, const Index& index,
                      const Document& document) {
  const auto prefix = TRY(held_prefix(collection, index, document));
  if (!prefix) return false;
  store::Range range{.lo = *prefix, .hi = after_prefix(*prefix)};
  for (bool more = true; more;) {
    const store::Page page = std::move(TRY(view.read({{}, {range}})).scans.front());
    more = page.next.has_value();
    if (more) range.lo = *page.next;
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      const store::Row row = page.rows[i];
      if (!are_rivals(index, row.key.substr(prefix->size()), document.key)) continue;
      const auto entry = TRY(records::decode_entry(row.value, row.version));
      const Version other{.written_at = entry.written_at, .lifetime = entry.lifetime};
      if (sees(view.live(), other, collection.policy)) return true;
    }
  }
  return false;
}

}  // namespace mayfly
