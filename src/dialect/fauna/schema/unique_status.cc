#include "dialect/fauna/schema/unique_status.h"

#include <set>

#include "dialect/fauna/schema/members.h"
#include "dialect/fauna/values/order.h"
#include "value/json.h"

namespace mayfly::fauna {
namespace {

// The paths of a constraint that the store keeps by a plain index; none of one with mva().
std::vector<Path> plain_paths(const FqlObject& constraint) {
  std::vector<Path> paths;
  for (const FqlValue& term : member_list(constraint, "unique")) {
    const bool is_object = term.is(FqlKind::object);
    if (is_object && member_is_true(term.object(), "mva")) return {};
    auto path = Path::parse(is_object ? member_text(term.object(), "field") : term.text());
    if (!path) return {};
    paths.push_back(*std::move(path));
  }
  return paths;
}

// The values as one text; nothing where one is missing: such documents are not compared.
std::optional<std::string> unique_key(const Value& body, const std::vector<Path>& paths) {
  Array values;
  for (const Path& path : paths) {
    Value value = at(body, path);
    if (value.is_missing() || value.is(Kind::null)) return std::nullopt;
    values.push_back(std::move(value));
  }
  return render_json(Value(std::move(values)));
}

Result<bool> holds_for_documents(Interpreter& run, const Collection& of,
                                 const std::vector<Path>& paths) {
  std::set<std::string> seen;
  DocumentRange range;
  View& view = run.reading().view();
  for (;;) {
    const DocumentPage page = TRY(view.scan(of, range, view.live()));
    for (const Document& document : page.documents) {
      TRY(run.step());
      auto key = unique_key(document.body.unpack(), paths);
      if (key && !seen.insert(*std::move(key)).second) return false;
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

Result<void> put_unique_status(Interpreter& run, const std::string& collection,
                               const FqlObject& before, FqlObject& after) {
  const CollectionPtr of =
      run.reading().view().catalog().find_collection(run.reading().database(), collection);
  if (!of) return {};
  FqlArray constraints = member_list(after, "constraints");
  for (FqlValue& constraint : constraints) {
    FqlObject made = constraint.object();
    if (made.find("unique") == nullptr || was_there(before, made)) continue;
    const std::vector<Path> paths = plain_paths(made);
    if (paths.empty() || TRY(holds_for_documents(run, *of, paths))) continue;
    made.set("status", "failed");
    constraint = FqlValue(std::move(made));
  }
  after.set("constraints", FqlValue(std::move(constraints)));
  return {};
}

}  // namespace mayfly::fauna
