#include "dialect/fauna/documents/unique_values.h"

#include <algorithm>

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {
namespace {

// The key of null in all fields.
Bytes all_null(const Index& index) {
  Bytes key;
  for (const IndexField& field : index.fields) (void)put_entry_value(key, field, Value());
  return key;
}

// Whether the store itself compares the document, because it has all fields.
bool is_complete(const Index& index, const Document& document) {
  const Value body = document.body.unpack();
  return std::none_of(index.fields.begin(), index.fields.end(), [&](const IndexField& field) {
    if (field.field.part != Part::body) return false;
    if (field.is_each || field.computed) return true;
    const Value value = at(body, field.field.path);
    return value.is_missing() || value.is(Kind::null);
  });
}

Result<bool> has_other(Interpreter& run, const Collection& of, const Index& index,
                       const Bytes& values, BytesView own) {
  View& view = run.reading().view();
  IndexRange range{.from = values, .to = after_prefix(values)};
  for (;;) {
    TRY(run.step());
    const IndexPage page = TRY(view.scan_index(of, index, range, view.live()));
    for (const IndexEntry& entry : page.entries) {
      if (entry.sort_key() == BytesView(values) && entry.key() != own) return true;
    }
    if (!page.next) return false;
    range.from = *page.next;
  }
}

}  // namespace

std::vector<Bytes> unique_values(const Index& index, const Document& document) {
  std::vector<Bytes> values = positions_in(index, document);
  for (Bytes& one : values) one.resize(one.size() - document.key.size());
  std::erase(values, all_null(index));
  return values;
}

Result<void> check_partly_null(Interpreter& run, const FqlCollection& of, const DocumentKey& key) {
  std::optional<Document> document;
  for (const UniqueDefinition& unique : of.definition->uniques) {
    if (unique.terms.size() < 2 || unique.is_failed) continue;
    const std::string name = core_index_name(unique);
    const Index* const index = of.core->find_index(name);
    if (index == nullptr || !index->is_ready) continue;
    if (!document) document = TRY(run.reading().get(of, key, std::nullopt));
    if (!document || is_complete(*index, *document)) continue;
    for (const Bytes& values : unique_values(*index, *document)) {
      if (!TRY(has_other(run, *of.core, *index, values, document->key))) continue;
      return run.fail(unique_failure(of, name));
    }
  }
  return {};
}

}  // namespace mayfly::fauna
