// Many records in one commit: all of them, or none and a list of the errors.
#include "base/limits.h"
#include "dialect/centrali/lifetimes/misspelt.h"
#include "dialect/centrali/records/actions.h"
#include "dialect/centrali/records/bulk/many.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

// The validation errors of all records, each with its record's index in the request.
class Reasons {
 public:
  // Fails immediately if the error is not one of the data.
  Result<void> add(const Error& error, const std::vector<Detail>& details, std::size_t place) {
    const std::string prefix = "records." + std::to_string(place);
    if (!first_) first_ = error;
    for (const Detail& detail : details) {
      told_.push_back({prefix + "." + detail.field, detail.message});
    }
    if (details.empty()) {
      const std::string_view field = std::string_view(error.field).starts_with('.')
                                         ? std::string_view(error.field).substr(1)
                                         : std::string_view(error.field);
      told_.push_back({field.empty() ? prefix : prefix + "." + std::string(field), error.message});
    }
    if (error.code == Code::invalid) return {};
    return tl::unexpected(error);
  }

  Result<void> outcome() const {
    if (!first_) return {};
    return fail(first_->code, told_.front().field + ": " + first_->message);
  }
  const std::vector<Detail>& told() const { return told_; }

 private:
  std::optional<Error> first_;
  std::vector<Detail> told_;
};

Result<void> do_all(Call& call, Transaction& transaction, ManyKind kind, const Many& many,
                    Removal how, std::vector<Written>& written) {
  Reasons reasons;
  written.clear();
  for (std::size_t i = 0; i < many.items.size(); ++i) {
    auto done = do_item(call, transaction, kind, many.items[i], how);
    if (done) {
      if (*done) written.push_back(**std::move(done));
      continue;
    }
    auto goes_on = reasons.add(done.error(), call.details, i);
    call.details = reasons.told();
    TRY(std::move(goes_on));
  }
  call.details = reasons.told();
  return reasons.outcome();
}

Result<net::Response> answer_bulk(Call& call, ManyKind kind, int status) {
  const Many many = TRY(parse_many(call, kind));
  const Removal how = TRY(removal_of(call.request));
  std::vector<Written> written;
  net::Response response{.status = status, .body = R"({"data":[)"};
  TRY(call.database().transact(
      [&](Transaction& transaction) { return do_all(call, transaction, kind, many, how, written); },
      [&](const Transaction& transaction, Instant) {
        for (const Written& one : written) {
          if (response.body.back() == '}') response.body += ',';
          const auto document = render_written(call, transaction, one, response.body);
          if (document && response.headers.empty()) hint_at_death(*document, response);
        }
      }));
  if (kind == ManyKind::remove) {
    for (const Item& item : many.items) {
      if (response.body.back() != '[') response.body += ',';
      render_json_text(*item.sent->id, response.body);
    }
  }
  response.body += R"(],"meta":{"total":)" + std::to_string(many.items.size()) + "}}";
  hint_at_misspelt(many.misspelt, lifetime_members, response);
  return response;
}

}  // namespace

Result<net::Response> bulk_create(Call& call) {
  return answer_bulk(call, ManyKind::create, 201);
}

Result<net::Response> bulk_patch(Call& call) {
  return answer_bulk(call, ManyKind::patch, 200);
}

Result<net::Response> bulk_remove(Call& call) {
  return answer_bulk(call, ManyKind::remove, 200);
}

}  // namespace mayfly::centrali
