// Upsert: updates the record that matches, or creates one, in one transaction. If two run
// concurrently, the second finds the record of the first.
#include "base/limits.h"
#include "dialect/centrali/lifetimes/misspelt.h"
#include "dialect/centrali/queries/lower.h"
#include "dialect/centrali/records/actions.h"
#include "dialect/centrali/records/write.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/common/requests/json_body.h"
#include "query/run.h"
#include "value/patch.h"

namespace mayfly::centrali {
namespace {

// What a record must be equal to, field by field.
struct UpsertMatch {
  ExprList conditions;
  Value data = Object{};          // the members that a new record takes from it
  std::optional<std::string> id;  // that the record must have
};

Result<UpsertMatch> parse_match(const Object& body) {
  MemberReader reader(body);
  const Object* criteria = TRY(reader.object("match"));
  if (criteria == nullptr || criteria->empty()) {
    return fail(Code::invalid, "match is required, with one field at least", "match");
  }
  UpsertMatch match;
  for (const auto& [name, value] : *criteria) {
    if (name == "id" && value.is(Kind::text)) match.id = value.text();
    const bool is_whole = name == "id" || name.starts_with("data.");
    const NamedField field = TRY(parse_field(is_whole ? name : "data." + name));
    match.conditions.push_back(TRY(lower({field, find_operator("eq")}, operand_of_one(value))));
    if (field.kind == NamedField::Kind::data) TRY(set_at(match.data, field.field.path, value));
  }
  return match;
}

// The living record that matches. Fails with exists if there are several.
Result<std::optional<Document>> find_match(Transaction& transaction, const Structure& structure,
                                           const UpsertMatch& match) {
  View& view = transaction.view();
  const auto records =
      query::scan(structure.collection, view.live(), routing_of_records(structure));
  const auto asked = query::filter(records, expr::all_of(match.conditions));
  const Meter meter(monotonic_now, monotonic_now() + limits::request_time_max);
  query::RowsPage page = TRY(query::answer(asked, view, {.rows_max = 2, .meter = meter}));
  if (page.rows.empty()) return std::nullopt;
  if (page.rows.size() == 1 && !page.next) return std::move(page.rows.front().document);
  return fail(Code::exists, "several records match; match by what only one can have", "match");
}

struct UpsertResult {
  WrittenRecord written;
  bool is_new = false;
};

Result<UpsertResult> upsert(CentraliCall& call, Transaction& transaction, const std::string& named,
                            const UpsertMatch& match, RecordInput sent) {
  const StructurePtr structure =
      TRY(find_structure(call, transaction.view().catalog_ptr(), named, "structureId"));
  auto found = TRY(find_match(transaction, *structure, match));
  if (found) {
    WrittenRecord written = TRY(patch(call, transaction, {structure, *std::move(found)}, sent));
    return UpsertResult{std::move(written), false};
  }
  sent.data = assign(match.data, sent.data);
  if (!sent.id) sent.id = match.id;
  WrittenRecord written = TRY(create(call, transaction, structure, sent));
  return UpsertResult{std::move(written), true};
}

}  // namespace

Result<net::Response> upsert_record(CentraliCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  const RecordInput sent = TRY(parse_record_input(call.request, body));
  if (sent.data.is_missing()) return fail(Code::invalid, "data is required", "data");
  const UpsertMatch match = TRY(parse_match(body));
  const std::string named = TRY(structure_named(call, body));
  std::optional<UpsertResult> done;
  net::Response response{.body = R"({"data":)"};
  TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        done = TRY(upsert(call, transaction, named, match, sent));
        return run_extra_write(call, transaction);
      },
      [&](const Transaction& transaction, Instant) {
        const auto document = render_written(call, transaction, done->written, response.body);
        if (document) hint_at_expired(*document, response);
      }));
  hint_at_misspelt(sent.misspelt, lifetime_members, response);
  response.status = done->is_new ? 201 : 200;
  response.body += done->is_new ? R"(,"operation":"created"})" : R"(,"operation":"updated"})";
  return response;
}

}  // namespace mayfly::centrali
