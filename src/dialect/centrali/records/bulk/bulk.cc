// Many records in one commit: all of them, or none and a list of the errors.
#include "base/limits.h"
#include "dialect/centrali/lifetimes/misspelt.h"
#include "dialect/centrali/queries/paging.h"
#include "dialect/centrali/records/actions.h"
#include "dialect/centrali/records/bulk/many.h"
#include "value/json/writer.h"

namespace mayfly::centrali {
namespace {

// The validation errors of all records, each with its record's index in the request.
class BulkErrors {
 public:
  // Fails immediately if the error is not one of the data.
  Result<void> add(const Error& error, const std::vector<Detail>& details, std::size_t place) {
    const std::string prefix = "records." + std::to_string(place);
    if (!first_) first_ = error;
    for (const Detail& detail : details) {
      details_.push_back({prefix + "." + detail.field, detail.message});
    }
    if (details.empty()) {
      const std::string_view field = std::string_view(error.field).starts_with('.')
                                         ? std::string_view(error.field).substr(1)
                                         : std::string_view(error.field);
      details_.push_back(
          {field.empty() ? prefix : prefix + "." + std::string(field), error.message});
    }
    if (error.code == Code::invalid) return {};
    return tl::unexpected(error);
  }

  Result<void> outcome() const {
    if (!first_) return {};
    return fail(first_->code, details_.front().field + ": " + first_->message);
  }
  const std::vector<Detail>& details() const { return details_; }

 private:
  std::optional<Error> first_;
  std::vector<Detail> details_;
};

Result<void> run_all(CentraliCall& call, Transaction& transaction, BulkKind kind,
                     const BulkRequest& bulk, Removal how, std::vector<WrittenRecord>& written) {
  BulkErrors errors;
  written.clear();
  for (std::size_t i = 0; i < bulk.items.size(); ++i) {
    auto done = write_item(call, transaction, kind, bulk.items[i], how);
    if (done) {
      if (*done) written.push_back(**std::move(done));
      continue;
    }
    auto added = errors.add(done.error(), call.details, i);
    call.details = errors.details();
    TRY(std::move(added));
  }
  call.details = errors.details();
  return errors.outcome();
}

Result<net::Response> answer_bulk(CentraliCall& call, BulkKind kind, int status) {
  const BulkRequest bulk = TRY(parse_bulk(call, kind));
  const Removal how = TRY(removal_of(call.request));
  std::vector<WrittenRecord> written;
  net::Response response{.status = status};
  JsonWriter json(response.body);
  json.begin_object();
  json.name("data").begin_array();
  TRY(call.database().transact(
      [&](Transaction& transaction) {
        return run_all(call, transaction, kind, bulk, how, written);
      },
      [&](const Transaction& transaction, Instant) {
        for (const WrittenRecord& one : written) {
          const auto document = render_written(call, transaction, one, response.body);
          if (document && response.headers.empty()) hint_at_expired(*document, response);
        }
      }));
  if (kind == BulkKind::remove) {
    for (const BulkItem& item : bulk.items) json.text(*item.sent->id);
  }
  json.end_array();
  render_meta(bulk.items.size(), json);
  json.end_object();
  hint_at_misspelt(bulk.misspelt, lifetime_members, response);
  return response;
}

}  // namespace

Result<net::Response> bulk_create(CentraliCall& call) {
  return answer_bulk(call, BulkKind::create, 201);
}

Result<net::Response> bulk_patch(CentraliCall& call) {
  return answer_bulk(call, BulkKind::patch, 200);
}

Result<net::Response> bulk_remove(CentraliCall& call) {
  return answer_bulk(call, BulkKind::remove, 200);
}

}  // namespace mayfly::centrali
