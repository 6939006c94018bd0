#include "dialect/fauna/library/display.h"

#include "dialect/fauna/run/weight.h"
#include "dialect/fauna/values/text/text.h"

namespace mayfly::fauna {
namespace {

FqlValue missing_document(const DocumentHandle& handle) {
  ShownDocument shown{.form = ShownDocument::Form::missing,
                      .collection = module_of(handle.collection),
                      .id = handle.id,
                      .is_named = handle.is_named,
                      .cause = handle.is_deleted ? "deleted" : "not found"};
  return std::make_shared<const ShownDocument>(std::move(shown));
}

// Replaces documents in the value by objects; documents within documents stay references.
Result<FqlValue> with_documents(Run& run, const FqlValue& value) {
  if (value.is(FqlKind::document)) {
    if (!TRY(run.exists(value))) return missing_document(*value.document());
    return FqlValue(TRY(run.fields(value)));
  }
  if (value.is(FqlKind::array)) {
    FqlArray items;
    items.reserve(value.array().size());
    for (const FqlValue& item : value.array()) items.push_back(TRY(with_documents(run, item)));
    return FqlValue(std::move(items));
  }
  if (value.is(FqlKind::object)) {
    FqlObject object;
    for (const auto& [name, member] : value.object().members()) {
      object.append(name, TRY(with_documents(run, member)));
    }
    return FqlValue(std::move(object));
  }
  return value;
}

Result<FqlValue> prepared(Run& run, const FqlValue& value) {
  const bool is_flat = value.is_number() || value.is(FqlKind::text) || value.is_null();
  if (is_flat) return value;
  TRY(count_copy(run, value));
  FqlValue whole = TRY(with_documents(run, value));
  TRY(run.check_growing_text(TRY(weigh(run, whole))));
  return whole;
}

}  // namespace

Result<std::string> display(Run& run, const FqlValue& value) {
  std::string text = display_text(TRY(prepared(run, value)));
  TRY(run.check_text(text.size()));
  return text;
}

Result<std::string> debug(Run& run, const FqlValue& value) {
  std::string text = debug_text(TRY(prepared(run, value)));
  TRY(run.check_text(text.size()));
  return text;
}

}  // namespace mayfly::fauna
