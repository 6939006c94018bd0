// Many records, each in a commit of its own: what succeeded and what failed, record by record.
#include "dialect/centrali/errors.h"
#include "dialect/centrali/lifetimes/misspelt.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/records/actions.h"
#include "dialect/centrali/records/bulk/many.h"
#include "value/json/writer.h"

namespace mayfly::centrali {
namespace {

// The two arrays of the answer as they are built.
struct BatchResult {
  std::string successes = "[";
  std::string failures = "[";
  std::size_t succeeded = 0;
  std::size_t failed = 0;

  std::size_t bytes() const { return successes.size() + failures.size(); }
};

void append_failure(const Error& error, const CentraliCall& call, const BulkItem& item,
                    std::size_t place, BatchResult& outcome) {
  ++outcome.failed;
  JsonWriter json(outcome.failures);
  json.begin_object();
  json.member("index", place);
  if (item.sent && item.sent->id) json.member("id", *item.sent->id);
  const net::Response rendered = render_error(error, call.details, "");
  json.member("status", rendered.status);
  json.raw_member("error", rendered.body);
  json.end_object();
}

// Appends the members "id" and "record" to the item's entry.
Result<void> run_item(CentraliCall& call, BulkKind kind, const BulkItem& item, Removal how,
                      std::string& entry) {
  JsonWriter json(entry);
  std::optional<WrittenRecord> written;
  TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        written = TRY(write_item(call, transaction, kind, item, how));
        return {};
      },
      [&](const Transaction& transaction, Instant) {
        if (!written) return;
        json.member("id", written->key.id);
        json.name("record");
        render_written(call, transaction, *written, entry);
      }));
  if (kind == BulkKind::remove) json.member("id", *item.sent->id);
  return {};
}

Result<void> too_much_for_one_answer() {
  return fail(Code::too_large,
              "the records before it fill the answer: ask for it in another request");
}

std::string render_result(BatchResult& outcome, std::size_t total) {
  JsonWriter(outcome.successes).end_array();
  JsonWriter(outcome.failures).end_array();
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.raw_member("successes", outcome.successes);
  json.raw_member("failures", outcome.failures);
  json.name("meta").begin_object();
  json.member("total", total);
  json.member("succeeded", outcome.succeeded);
  json.member("failed", outcome.failed);
  json.member("skipped", total - outcome.succeeded - outcome.failed);
  json.end_object();
  json.end_object();
  return out;
}

Result<net::Response> answer_batch(CentraliCall& call, BulkKind kind) {
  const BulkRequest bulk = TRY(parse_bulk(call, kind));
  const Removal how = TRY(removal_of(call.request));
  BatchResult outcome;
  for (std::size_t i = 0; i < bulk.items.size(); ++i) {
    std::string entry;
    JsonWriter json(entry);
    json.begin_object();
    json.member("index", i);
    const bool is_full = outcome.bytes() >= limits::batch_answer_bytes;
    auto done =
        is_full ? too_much_for_one_answer() : run_item(call, kind, bulk.items[i], how, entry);
    if (!done) {
      append_failure(done.error(), call, bulk.items[i], i, outcome);
      if (bulk.stops_on_error) break;
      continue;
    }
    ++outcome.succeeded;
    json.end_object();
    JsonWriter(outcome.successes).raw(entry);
  }
  call.details.clear();
  net::Response response{.body = render_result(outcome, bulk.items.size())};
  hint_at_misspelt(bulk.misspelt, lifetime_members, response);
  return response;
}

}  // namespace

Result<net::Response> batch_create(CentraliCall& call) {
  return answer_batch(call, BulkKind::create);
}

Result<net::Response> batch_patch(CentraliCall& call) {
  return answer_batch(call, BulkKind::patch);
}

Result<net::Response> batch_remove(CentraliCall& call) {
  return answer_batch(call, BulkKind::remove);
}

}  // namespace mayfly::centrali
