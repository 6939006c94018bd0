#include "dialect/centrali/records/actions.h"

#include "dialect/centrali/lifetimes/misspelt.h"
#include "dialect/centrali/records/references/expand.h"
#include "dialect/centrali/records/write.h"
#include "dialect/centrali/render.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/common/requests/json_body.h"
#include "dialect/common/requests/meter.h"
#include "dialect/common/requests/parameters.h"

namespace mayfly::centrali {
namespace {

// Runs `work`, which returns the structure and key of the record that it writes, and renders the
// record.
template <class Work>
Result<net::Response> write_record(CentraliCall& call, int status, std::string_view misspelt,
                                   const Work& work) {
  std::optional<WrittenRecord> written;
  net::Response response{.status = status};
  hint_at_misspelt(misspelt, lifetime_members, response);
  TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        written = TRY(work(transaction));
        return run_extra_write(call, transaction);
      },
      [&](const Transaction& transaction, Instant) {
        const auto document = render_written(call, transaction, *written, response.body);
        if (document) hint_at_expired(*document, response);
      }));
  return response;
}

// Renders the record with the records that its references lead to.
Result<net::Response> render_expanded(CentraliCall& call, const FoundRecord& found, View& view,
                                      const std::string& expand) {
  Expansion expansion(call, view, TRY(parse_expand(expand)), meter_of(call.request));
  TRY(expansion.resolve(found.structure, {found.document}));
  net::Response response;
  render_record(
      found.document,
      {.structure = *found.structure, .workspace = call.workspace, .expansion = &expansion},
      response.body);
  TRY(expansion.outcome());
  return response;
}

}  // namespace

Result<net::Response> create_record(CentraliCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  const RecordInput sent = TRY(parse_record_input(call.request, body));
  if (sent.data.is_missing()) return fail(Code::invalid, "data is required", "data");
  const std::string named = TRY(structure_named(call, body));
  return write_record(
      call, 201, sent.misspelt, [&](Transaction& transaction) -> Result<WrittenRecord> {
        const StructurePtr structure =
            TRY(find_structure(call, transaction.view().catalog_ptr(), named, "structureId"));
        return create(call, transaction, structure, sent);
      });
}

Result<net::Response> read_record(CentraliCall& call) {
  const std::string& id = call.match["record"];
  const auto expand = TRY(text_parameter(call.request, "expand"));
  const bool with_archived = TRY(includes_archived(call.request));
  if (!with_archived && !expand) {
    const FoundRecord found = TRY(find_living(call, id));
    net::Response response;
    render_record(found.document, {*found.structure, call.workspace}, response.body);
    return response;
  }
  RecordAndView shown = TRY(find_with_view(call, id, with_archived));
  return render_expanded(call, shown.found, shown.view, expand.value_or(""));
}

Result<net::Response> patch_record(CentraliCall& call) {
  const Object body = TRY(parse_optional_object(call.request.body));
  const RecordInput sent = TRY(parse_record_input(call.request, body));
  if (sent.is_empty_input()) return fail(Code::invalid, "data is required", "data");
  return write_record(
      call, 200, sent.misspelt, [&](Transaction& transaction) -> Result<WrittenRecord> {
        const FoundRecord found = TRY(find_in(call, transaction, call.match["record"]));
        return patch(call, transaction, found, sent);
      });
}

Result<net::Response> replace_record(CentraliCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  const RecordInput sent = TRY(parse_record_input(call.request, body));
  if (sent.data.is_missing()) return fail(Code::invalid, "data is required", "data");
  return write_record(
      call, 200, sent.misspelt, [&](Transaction& transaction) -> Result<WrittenRecord> {
        const FoundRecord found = TRY(find_in(call, transaction, call.match["record"]));
        return replace(call, transaction, found, sent);
      });
}

Result<net::Response> remove_record(CentraliCall& call) {
  const Removal how = TRY(removal_of(call.request));
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    TRY(remove(call, transaction, call.match["record"], how));
    return run_extra_write(call, transaction);
  }));
  return net::Response{.status = 204};
}

Result<net::Response> restore_record(CentraliCall& call) {
  return write_record(call, 200, "", [&](Transaction& transaction) {
    return restore(call, transaction, call.match["record"]);
  });
}

}  // namespace mayfly::centrali
