// KeyFilter: conditions that the key of a document decides, so that its body need not be read. The
// values of a collection's partition key stand in the keys of its documents.
#pragma once

#include "db/catalog/catalog.h"
#include "expr/evaluation/meter.h"
#include "expr/expr.h"

namespace mayfly::query {

class KeyFilter {
 public:
  // Takes what it can decide of a condition on documents of the collection; null: nothing is asked.
  KeyFilter(const ExprPtr& condition, const Collection& collection);

  bool is_empty() const { return conditions_.empty(); }
  // Whether a document with this encoded key may meet the condition. Fails as evaluating does.
  Result<bool> admits(BytesView key, Meter& meter) const;

 private:
  bool decides(const Expr& condition) const;

  const std::vector<Path>& partition_;
  ExprList conditions_;
};

}  // namespace mayfly::query
