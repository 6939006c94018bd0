// KeyFilter: conditions that can be decided by the key of a document, without reading its body. The
// keys contain the values of a collection's partition key.
#pragma once

#include "db/catalog/catalog.h"
#include "expr/evaluation/meter.h"
#include "expr/expr.h"

namespace mayfly::query {

class KeyFilter {
 public:
  // Keeps the parts of the condition that it can decide for documents of the collection. A null
  // condition accepts all.
  KeyFilter(const ExprPtr& condition, const Collection& collection);

  bool is_empty() const { return conditions_.empty(); }
  // Whether a document with this encoded key may fulfil the condition. Fails as evaluation does.
  Result<bool> admits(BytesView key, Meter& meter) const;

 private:
  bool decides(const Expr& condition) const;

  const std::vector<Path>& partition_;
  ExprList conditions_;
};

}  // namespace mayfly::query
