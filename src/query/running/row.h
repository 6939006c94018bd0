// QueryRow: one row as it flows through operators, and the scope in which expressions see it.
#pragma once

#include <optional>
#include <vector>

#include "db/rows/document.h"
#include "expr/evaluation/scope.h"

namespace mayfly::query {

// The scope of a document alone: filters are evaluated on it before a row is made.
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

struct QueryRow final : public Scope {
  std::optional<Document> document;  // the source of the row; unset for Values and Group
  std::optional<Value> value;        // of slot 0, if that is not the document's body
  std::vector<BoundItem> bound;
  const Scope* around = nullptr;  // in a nested query: holds the slots that are not its own

  Value field(Slot slot, const Field& field) const override;
  const Value* find(Slot slot, const Field& field) const override;
  const Packed* packed() const override;
  const Scope& row() const override { return around != nullptr ? around->row() : *this; }

  // The value of the row, or otherwise the document's body.
  Value whole() const;
};

// The document of the scope's row; null: there is none.
const Document* document_of(const Scope& scope);

// About how many bytes of memory it takes.
std::size_t weight(const QueryRow& row);

// A copy of the document that owns its bytes. A document as it was read keeps alive the whole page
// of rows that it lies in.
Document detached(const Document& document);

}  // namespace mayfly::query
