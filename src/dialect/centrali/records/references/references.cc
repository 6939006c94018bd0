#include "dialect/centrali/records/references/references.h"

#include "dialect/centrali/limits.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/common/requests/meter.h"
#include "query/run.h"
#include "value/patch.h"

namespace mayfly::centrali {
namespace {

// Walks data along its properties and checks that each reference leads to a record.
class ReferenceChecker {
 public:
  ReferenceChecker(CentraliCall& call, View& view, const Workspace& workspace)
      : call_(call), view_(view), workspace_(workspace) {}

  Result<void> check_object(const Object& data, const Shape& shape, const std::string& prefix) {
    for (const auto& [name, value] : data) {
      const Shape* property = shape.find(name);
      if (property != nullptr) TRY(check_value(value, *property, prefix + name));
    }
    return {};
  }

 private:
  Result<void> check_value(const Value& value, const Shape& property, const std::string& place) {
    if (value.is(Kind::array) && !property.items.empty()) {
      for (std::size_t i = 0; i < value.array().size(); ++i) {
        TRY(check_value(value.array()[i], property.items.front(), place + "." + std::to_string(i)));
      }
    }
    if (value.is(Kind::object)) {
      TRY(check_object(value.object(), property, place + "."));
    }
    const std::string name = value.is(Kind::text) ? target_name(property) : std::string();
    if (name.empty()) return {};
    const StructurePtr target = workspace_.find(name);
    const DocumentKey key = DocumentKey::of(value.text());
    const bool is_found = target && mayfly::check(key) &&
                          TRY(view_.get(*target->collection, key, view_.live())).has_value();
    if (!is_found) {
      call_.details.push_back({place, "names no record of '" + name + "'"});
    }
    return {};
  }

  CentraliCall& call_;
  View& view_;
  const Workspace& workspace_;
};

// The living records of the structure whose field is that id, up to one more than the bound.
Result<std::vector<Document>> referring(const CentraliCall& call, Transaction& transaction,
                                        const Structure& structure, const Shape& property,
                                        std::string_view id) {
  View& view = transaction.view();
  const ExprPtr names = expr::equal(expr::body(property.name), expr::literal(Value(id)));
  const auto asked =
      query::filter(query::scan(structure.collection, view.live(), std::nullopt), names);
  query::RunOptions options{.rows_max = limits::cascade_records_max + 1,
                            .meter = meter_of(call.request)};
  std::vector<Document> found;
  while (found.size() <= limits::cascade_records_max) {
    query::RowsPage page = TRY(query::answer(asked, view, options));
    TRY(options.meter.tick(static_cast<std::uint32_t>(page.rows.size())));
    for (query::QueryRow& row : page.rows) found.push_back(*std::move(row.document));
    if (!page.next) return found;
    options.bookmark = std::move(page.next);
  }
  return fail(Code::too_large,
              "more than " + std::to_string(limits::cascade_records_max) + " records of '" +
                  structure.name + "' refer to the record",
              property.name);
}

// The record may have been removed or changed meanwhile, because of another record that both refer
// to.
Result<void> update_referrer(CentraliCall& call, Transaction& transaction,
                             const StructurePtr& structure, const DocumentKey& key,
                             const Shape& property, Removal how, std::size_t depth) {
  View& view = transaction.view();
  const auto standing = TRY(view.get(*structure->collection, key, view.live()));
  if (!standing) return {};
  if (on_delete(property) == OnDelete::cascade) {
    return remove_found(call, transaction, {structure, *standing}, how, depth + 1);
  }
  const Value emptied = assign(standing->body.unpack(), Value(Object{{property.name, nullptr}}));
  const PutOptions options{.expect = PutOptions::Expect::present, .author = call.principal.name};
  TRY(transaction.put(structure->collection, key, TRY(pack(emptied)), options));
  return {};
}

Result<void> update_referrers(CentraliCall& call, Transaction& transaction,
                              const FoundRecord& found, Removal how, std::size_t depth) {
  const auto workspace = call.directory.workspace(transaction.view().catalog_ptr(), call.workspace);
  for (const StructurePtr& structure : workspace->structures()) {
    for (const Shape& property : structure->shape.children) {
      if (on_delete(property) == OnDelete::nothing) continue;
      if (workspace->find(target_name(property)) != found.structure) continue;
      const auto referrers =
          TRY(referring(call, transaction, *structure, property, found.document.id));
      if (referrers.empty()) continue;
      if (on_delete(property) == OnDelete::restricted) {
        return fail(Code::exists, "records of '" + structure->name + "' refer to the record",
                    property.name);
      }
      for (const Document& document : referrers) {
        const DocumentKey key = document.document_key();
        TRY(update_referrer(call, transaction, structure, key, property, how, depth));
      }
    }
  }
  return {};
}

}  // namespace

Result<void> check_references(CentraliCall& call, Transaction& transaction,
                              const Structure& structure, const Object& data) {
  View& view = transaction.view();
  const auto workspace = call.directory.workspace(view.catalog_ptr(), call.workspace);
  return ReferenceChecker(call, view, *workspace).check_object(data, structure.shape, "");
}

Result<void> remove_found(CentraliCall& call, Transaction& transaction, const FoundRecord& found,
                          Removal how, std::size_t depth) {
  if (depth > limits::cascade_depth_max) {
    return fail(Code::too_large, "deletions lead on to more than " +
                                     std::to_string(limits::cascade_depth_max) + " others");
  }
  const CollectionPtr& collection = found.structure->collection;
  const DocumentKey key = found.document.document_key();
  // First, so that a circle of references ends here.
  TRY(transaction.remove(collection, key,
                         {.author = call.principal.name, .is_final = how == Removal::final}));
  TRY(update_referrers(call, transaction, found, how, depth));
  if (how == Removal::archive) return {};
  auto forgotten = transaction.forget(collection, key, call.principal.name);
  if (!forgotten && forgotten.error().code != Code::not_found) return forgotten;
  return {};
}

}  // namespace mayfly::centrali
