// Index entries of a document. A missing field is indexed as missing (as null where it counts as
// null), and so is an empty array in an index of items: an index has every document. An index of
// truncated values accepts any document: its keys fit a row's key beside the longest document key.
#include <algorithm>

#include "db/limits.h"
#include "db/rows/keys.h"
#include "db/write/transaction_state.h"
#include "expr/evaluation/evaluate.h"
#include "lifetime/lens.h"
#include "value/order/order.h"

namespace mayfly {
namespace {

// The scope of an index's expression: the body of the document.
class BodyScope final : public Scope {
 public:
  explicit BodyScope(const Document& document) : document_(document) {}
  Value field(Slot slot, const Field& field) const override {
    return slot == 0 ? mayfly::field(document_, field) : Value();
  }
  const Packed* packed() const override { return &document_.body; }

 private:
  const Document& document_;
};

// A value that cannot be computed within the bounds is missing: it does not prevent a write.
Value evaluated(const Document& document, const Expr& expression) {
  Meter meter;
  return evaluate(expression, BodyScope(document), meter).value_or(Value());
}

// The values were computed before the commit (write.cc), so no expression runs under the lock on
// commits.
Value indexed_value(const Document& document, const IndexField& indexed) {
  if (!indexed.computed) return field(document, indexed.field);
  if (document.computed == nullptr) return evaluated(document, *indexed.computed.expression);
  const auto [known, is_new] = document.computed->try_emplace(indexed.computed.text);
  if (is_new) known->second = evaluated(document, *indexed.computed.expression);
  return known->second;
}

// Prefixes of entries, extended field by field, in their order.
using Prefixes = std::vector<Bytes>;

Result<void> put_value(Bytes& row, const Index& index, const IndexField& indexed,
                       const Value& value) {
  auto put = put_entry_value(row, indexed, entry_value_of(index, value).value);
  if (put) return {};
  Error error = std::move(put).error();
  error.field = indexed.render();
  error.message =
      "the value of " + error.field + " is indexed, and too long for that: " + error.message;
  return tl::unexpected(std::move(error));
}

// Which values of a field count.
using Counts = bool (*)(const Index& index, const IndexField& indexed, const Value& value);

bool counts_always(const Index&, const IndexField&, const Value&) {
  return true;
}

// Whether the value makes a unique index apply to the document.
bool counts_for_uniqueness(const Index& index, const IndexField& indexed, const Value& value) {
  if (index.unique == Uniqueness::of_routing) return true;
  return indexed.null_is_greatest ? !is_nothing(value) : !value.is_missing();
}

// Extends each prefix by each of the items.
Result<void> put_items(Prefixes& prefixes, const Index& index, const IndexField& indexed,
                       const Array& items, Counts counts) {
  Prefixes keys;
  for (const Value& item : items) {
    if (counts(index, indexed, item)) TRY(put_value(keys.emplace_back(), index, indexed, item));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  if (prefixes.size() * keys.size() > limits::entries_per_document_max) {
    return fail(Code::too_large,
                "a document has at most " + std::to_string(limits::entries_per_document_max) +
                    " entries in the index '" + index.name + "'",
                indexed.render());
  }
  Prefixes longer;
  longer.reserve(prefixes.size() * keys.size());
  for (const Bytes& prefix : prefixes) {
    for (const Bytes& key : keys) longer.push_back(prefix + key);
  }
  prefixes = std::move(longer);
  return {};
}

Result<void> put_field(Prefixes& prefixes, const Index& index, const IndexField& indexed,
                       const Document& document, Counts counts) {
  Value value = indexed_value(document, indexed);
  if (indexed.is_each && value.is(Kind::array)) {
    if (!value.array().empty()) return put_items(prefixes, index, indexed, value.array(), counts);
    value = Missing();
  }
  if (value.is_missing() && index.unique == Uniqueness::of_routing) value = Null();
  if (!counts(index, indexed, value)) prefixes.clear();
  for (Bytes& prefix : prefixes) TRY(put_value(prefix, index, indexed, value));
  return {};
}

Result<Prefixes> prefixes_of(Bytes start, const Index& index, const Document& document,
                             Counts counts) {
  Prefixes prefixes{std::move(start)};
  for (const IndexField& indexed : index.fields) {
    TRY(put_field(prefixes, index, indexed, document, counts));
  }
  return prefixes;
}

Result<std::vector<Bytes>> entries_behind(Bytes start, const Index& index,
                                          const Document& document) {
  std::vector<Bytes> rows = TRY(prefixes_of(std::move(start), index, document, counts_always));
  for (Bytes& row : rows) row.append(document.key);
  return rows;
}

// Whether documents with these keys may not have the same values.
bool must_differ(const Index& index, BytesView a, BytesView b) {
  if (a == b) return false;
  return index.unique != Uniqueness::of_routing || keys::routing_of(a) == keys::routing_of(b);
}

// Whether another living document has an entry with this prefix.
Result<bool> has_same_values(View& view, const Collection& collection, const Index& index,
                             const Document& document, const Bytes& prefix) {
  store::Range range{.lo = prefix, .hi = after_prefix(prefix)};
  for (bool more = true; more;) {
    const store::Page page = std::move(TRY(view.read({{}, {range}})).scans.front());
    more = page.next.has_value();
    if (more) range.lo = *page.next;
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      const store::Row row = page.rows[i];
      if (!must_differ(index, row.key.substr(prefix.size()), document.key)) continue;
      const auto entry = TRY(records::decode_entry(row.value, row.version));
      const Version other{.written_at = entry.written_at, .lifetime = entry.lifetime};
      if (sees(view.live(), other, collection.policy)) return true;
    }
  }
  return false;
}

}  // namespace

bool has_items(const Index& index) {
  return std::ranges::any_of(index.fields, &IndexField::is_each);
}

Result<std::vector<Bytes>> entries_in(const Collection& collection, const Index& index,
                                      const Document& document) {
  return entries_behind(keys::index(collection.id, index.id), index, document);
}

std::vector<Bytes> positions_in(const Index& index, const Document& document) {
  return entries_behind({}, index, document).value_or(std::vector<Bytes>());
}

Result<std::vector<Bytes>> entries_of(const Collection& collection, const Document& document) {
  std::vector<Bytes> rows;
  rows.reserve(collection.indexes.size());
  for (const Index& index : collection.indexes) {
    std::vector<Bytes> some = TRY(entries_in(collection, index, document));
    std::move(some.begin(), some.end(), std::back_inserter(rows));
  }
  return rows;
}

std::vector<Bytes> old_entries_of(const Collection& collection, const Document& document) {
  std::vector<Bytes> rows;
  for (const Index& index : collection.indexes) {
    auto some = entries_in(collection, index, document);
    if (some) std::move(some->begin(), some->end(), std::back_inserter(rows));
  }
  return rows;
}

Result<bool> is_taken(View& view, const Collection& collection, const Index& index,
                      const Document& document) {
  if (index.unique == Uniqueness::none) return false;
  const Bytes start = keys::index(collection.id, index.id);
  for (const Bytes& prefix : TRY(prefixes_of(start, index, document, counts_for_uniqueness))) {
    if (TRY(has_same_values(view, collection, index, document, prefix))) return true;
  }
  return false;
}

}  // namespace mayfly
