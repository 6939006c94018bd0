#include "query/operators/reading/key_filter.h"

#include <algorithm>

#include "db/rows/keys.h"
#include "db/rows/partition.h"
#include "expr/analyse.h"
#include "expr/evaluation/evaluate.h"
#include "expr/function.h"

namespace mayfly::query {
namespace {

// The fields of a partition key, and no other part of a document.
class PartitionScope final : public Scope {
 public:
  PartitionScope(const std::vector<Path>& paths, const PartitionValues& values)
      : paths_(paths), values_(values) {}
  Value field(Slot, const Field& field) const override {
    const auto path = std::find(paths_.begin(), paths_.end(), field.path);
    return path == paths_.end() ? Value()
                                : values_[static_cast<std::size_t>(path - paths_.begin())];
  }

 private:
  const std::vector<Path>& paths_;
  const PartitionValues& values_;
};

// Whether equal arguments give equal results. Keys hold numbers only up to equality, so only such
// functions can be evaluated on them.
bool takes_equal_alike(const Function& function) {
  return function.comparison != Comparison::none || function.name == "key_hash";
}

}  // namespace

KeyFilter::KeyFilter(const ExprPtr& condition, const Collection& collection)
    : partition_(collection.body.partition) {
  if (!condition || partition_.empty() || may_fail(*condition)) return;
  for (const ExprPtr& part : conjuncts(condition)) {
    if (decides(*part)) conditions_.push_back(part);
  }
}

// Whether it is a literal, a field of the partition key, or a function of such expressions.
bool KeyFilter::decides(const Expr& condition) const {
  if (condition.as<expr::Literal>() != nullptr) return true;
  if (const auto* field = condition.as<expr::FieldOf>()) {
    return field->slot == 0 && field->field.part == Part::body &&
           std::find(partition_.begin(), partition_.end(), field->field.path) != partition_.end();
  }
  const auto* call = condition.as<expr::FunctionCall>();
  return call != nullptr && takes_equal_alike(*call->function) &&
         std::all_of(call->arguments.begin(), call->arguments.end(),
                     [this](const ExprPtr& argument) { return decides(*argument); });
}

Result<bool> KeyFilter::admits(BytesView key, Meter& meter) const {
  if (conditions_.empty()) return true;
  const DocumentKey decoded = TRY(keys::decode_document_key(key));
  const auto values = values_in_routing(decoded.routing, partition_.size());
  if (!values) return true;
  const PartitionScope scope(partition_, *values);
  for (const ExprPtr& condition : conditions_) {
    if (TRY(truth(*condition, scope, meter)) != Truth::yes) return false;
  }
  return true;
}

}  // namespace mayfly::query
