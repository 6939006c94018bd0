#include "dialect/fauna/schema/indexes/unique_status.h"

#include <set>

#include "dialect/fauna/documents/unique_values.h"
#include "dialect/fauna/schema/indexes/index_specs.h"
#include "dialect/fauna/schema/members.h"
#include "dialect/fauna/values/order.h"
#include "dialect/fauna/values/stored.h"

namespace mayfly::fauna {
namespace {

// The store's index of the constraint; nullopt if its terms are invalid.
std::optional<Index> index_of_unique(const FqlObject& constraint) {
  const FqlArray terms = member_list(constraint, "unique");
  FqlObject definition;
  definition.append("constraints", FqlValue(FqlArray{FqlValue(constraint)}));
  const auto stored = to_stored(FqlValue(definition));
  if (!stored) return std::nullopt;
  const CollectionDefinition read = read_definition("", *stored);
  if (read.uniques.empty() || read.uniques.front().terms.size() != terms.size()) return {};
  IndexSpec spec = core_index(read.uniques.front());
  return Index{.name = std::move(spec.name), .fields = std::move(spec.fields)};
}

// Whether no two documents have an entry with the same values.
Result<bool> holds_for_documents(Interpreter& run, const Collection& of, const Index& index) {
  std::set<Bytes> seen;
  DocumentRange range;
  View& view = run.reading().view();
  for (;;) {
    const DocumentPage page = TRY(view.scan(of, range, view.live()));
    for (const Document& document : page.documents) {
      for (Bytes& values : unique_values(index, document)) {
        TRY(run.step());
        TRY(run.make(values.size()));
        if (!seen.insert(std::move(values)).second) return false;
      }
    }
    if (!page.next) return true;
    range.from = *page.next;
  }
}

bool was_there(const FqlObject& before, const FqlObject& constraint) {
  for (const FqlValue& old : member_list(before, "constraints")) {
    const FqlValue* terms = old.is(FqlKind::object) ? old.object().find("unique") : nullptr;
    if (terms == nullptr || !equal(*terms, *constraint.find("unique"))) continue;
    return member_text(old.object(), "status") != "failed";
  }
  return false;
}

}  // namespace

std::string render_unique(const FqlValue& terms) {
  std::string shown;
  for (const FqlValue& term : terms.array()) {
    std::string text = term.is(FqlKind::text) ? term.text() : member_text(term.object(), "field");
    if (!text.starts_with('.')) text.insert(0, ".");
    const FqlValue* each = term.is(FqlKind::object) ? term.object().find("mva") : nullptr;
    if (each != nullptr && each->is(FqlKind::boolean) && each->boolean())
      text = "mva(" + text + ")";
    shown += (shown.empty() ? "" : ", ") + text;
  }
  return "[" + shown + "]";
}

Result<void> put_unique_status(Interpreter& run, const std::string& collection,
                               const FqlObject& before, FqlObject& after) {
  const CollectionPtr of =
      run.reading().view().catalog().find_collection(run.reading().database(), collection);
  if (!of) return {};
  FqlArray constraints = member_list(after, "constraints");
  for (FqlValue& constraint : constraints) {
    FqlObject made = constraint.object();
    if (made.find("unique") == nullptr || was_there(before, made)) continue;
    const auto index = index_of_unique(made);
    if (!index || TRY(holds_for_documents(run, *of, *index))) continue;
    made.set("status", "failed");
    constraint = FqlValue(std::move(made));
  }
  after.set("constraints", FqlValue(std::move(constraints)));
  return {};
}

}  // namespace mayfly::fauna
