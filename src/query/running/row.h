// Row: one row as it flows through operators, and the scope in which expressions see it.
#pragma once

#include <optional>
#include <vector>

#include "db/rows/document.h"
#include "expr/evaluation/scope.h"

namespace mayfly::query {

// The scope of a document alone: what filters are evaluated against before a row is made of it.
class DocumentScope final : public Scope {
 public:
  explicit DocumentScope(const Document& document) : document_(document) {}
  Value field(Slot slot, const Field& field) const override {
    return slot == 0 ? mayfly::field(document_, field) : Value();
  }
  const Packed* packed() const override { return &document_.body; }
  const Document& document() const { return document_; }

 private:
  const Document& document_;
};

// An item that an Unnest has bound.
struct BoundItem {
  Slot slot = 0;
  Value value;
  std::uint32_t ordinal = 0;  // its position in the array
};

struct Row final : public Scope {
  std::optional<Document> document;  // where the row comes from; unset for Values and Group
  std::optional<Value> value;        // what slot 0 holds where it is not the document's body
  std::vector<BoundItem> bound;
  const Scope* around = nullptr;  // of a nested query: what its own slots do not hold is there

  Value field(Slot slot, const Field& field) const override;
  const Value* find(Slot slot, const Field& field) const override;
  const Packed* packed() const override;
  const Scope& row() const override { return around != nullptr ? around->row() : *this; }

  // What the row is: the value, or the document's body.
  Value whole() const;
};

// The document of the row that the scope stands in; null where there is none.
const Document* document_of(const Scope& scope);

// About how many bytes of memory it takes.
std::size_t weight(const Row& row);

// The same document with bytes of its own. A document as it was read keeps the whole page of rows
// that it lies in.
Document detached(const Document& document);

}  // namespace mayfly::query
