// Many records, each in a commit of its own: what succeeded and what failed, record by record.
#include "dialect/centrali/errors.h"
#include "dialect/centrali/lifetimes/misspelt.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/records/actions.h"
#include "dialect/centrali/records/bulk/many.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

// The two lists of the answer as they are built.
struct BatchResult {
  std::string successes;
  std::string failures;
  std::size_t succeeded = 0;
  std::size_t failed = 0;

  std::size_t bytes() const { return successes.size() + failures.size(); }
};

std::string begin_entry(std::string& list, std::size_t place) {
  return (list.empty() ? "" : ",") + std::string(R"({"index":)") + std::to_string(place);
}

void append_failure(const Error& error, const Call& call, const BulkItem& item, std::size_t place,
                    BatchResult& outcome) {
  ++outcome.failed;
  outcome.failures += begin_entry(outcome.failures, place);
  if (item.sent && item.sent->id) {
    outcome.failures += R"(,"id":)";
    render_json_text(*item.sent->id, outcome.failures);
  }
  const net::Response rendered = render_error(error, call.details, "");
  outcome.failures += R"(,"status":)" + std::to_string(rendered.status);
  outcome.failures += R"(,"error":)" + rendered.body + "}";
}

Result<void> run_item(Call& call, BulkKind kind, const BulkItem& item, Removal how,
                      std::string& record) {
  std::optional<WrittenRecord> written;
  TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        written = TRY(write_item(call, transaction, kind, item, how));
        return {};
      },
      [&](const Transaction& transaction, Instant) {
        if (!written) return;
        record = R"(,"id":)";
        render_json_text(written->key.id, record);
        record += R"(,"record":)";
        render_written(call, transaction, *written, record);
      }));
  if (kind == BulkKind::remove) {
    record = R"(,"id":)";
    render_json_text(*item.sent->id, record);
  }
  return {};
}

Result<void> too_much_for_one_answer() {
  return fail(Code::too_large,
              "the records before it fill the answer: ask for it in another request");
}

Result<net::Response> answer_batch(Call& call, BulkKind kind) {
  const BulkRequest bulk = TRY(parse_bulk(call, kind));
  const Removal how = TRY(removal_of(call.request));
  BatchResult outcome;
  for (std::size_t i = 0; i < bulk.items.size(); ++i) {
    std::string record;
    const bool is_full = outcome.bytes() >= limits::batch_answer_bytes;
    auto done =
        is_full ? too_much_for_one_answer() : run_item(call, kind, bulk.items[i], how, record);
    if (!done) {
      append_failure(done.error(), call, bulk.items[i], i, outcome);
      if (bulk.stops_on_error) break;
      continue;
    }
    ++outcome.succeeded;
    outcome.successes += begin_entry(outcome.successes, i) + record + "}";
  }
  call.details.clear();
  const std::size_t skipped = bulk.items.size() - outcome.succeeded - outcome.failed;
  net::Response response{.body = R"({"successes":[)" + outcome.successes + R"(],"failures":[)"};
  response.body += outcome.failures + R"(],"meta":{"total":)" + std::to_string(bulk.items.size());
  response.body += R"(,"succeeded":)" + std::to_string(outcome.succeeded);
  response.body += R"(,"failed":)" + std::to_string(outcome.failed);
  response.body += R"(,"skipped":)" + std::to_string(skipped) + "}}";
  hint_at_misspelt(bulk.misspelt, lifetime_members, response);
  return response;
}

}  // namespace

Result<net::Response> batch_create(Call& call) {
  return answer_batch(call, BulkKind::create);
}

Result<net::Response> batch_patch(Call& call) {
  return answer_batch(call, BulkKind::patch);
}

Result<net::Response> batch_remove(Call& call) {
  return answer_batch(call, BulkKind::remove);
}

}  // namespace mayfly::centrali
