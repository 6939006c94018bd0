#include "dialect/fauna/import/import_request.h"

#include "dialect/fauna/errors.h"
#include "dialect/fauna/import/batch.h"
#include "value/json/json.h"

namespace mayfly::fauna {
namespace {

Result<ImportOptions> import_options(const net::Request& request) {
  ImportOptions options;
  if (const std::string* value = request.parameter("on_refused")) {
    if (*value != "stop" && *value != "skip") {
      return fail(Code::invalid, "on_refused must be stop or skip");
    }
    options.on_refusal = *value == "skip" ? OnRefusal::skip : OnRefusal::stop;
  }
  if (const std::string* value = request.parameter("ts_field")) options.ts_field = *value;
  return options;
}

Result<std::string> import_answer(const net::Request& request, const SharedServices& shared,
                                  const Principal& principal) {
  const ImportOptions options = TRY(import_options(request));
  const ImportReport report = TRY(import_documents(request, shared, principal, options));
  Array refused;
  for (const RefusedDocument& one : report.refused) {
    refused.push_back(Value(Object{{"document", Value(static_cast<std::int64_t>(one.number))},
                                   {"reason", Value(one.reason)}}));
  }
  Array collections;
  for (const std::string& name : report.collections) collections.push_back(Value(name));
  const auto count = [](std::uint64_t n) { return Value(static_cast<std::int64_t>(n)); };
  return render_json(Value(Object{{"created", count(report.created)},
                                  {"replaced", count(report.replaced)},
                                  {"unchanged", count(report.unchanged)},
                                  {"expired", count(report.expired)},
                                  {"refused", Value(std::move(refused))},
                                  {"collections", Value(std::move(collections))}}));
}

}  // namespace

net::Response answer_import(const net::Request& request, const SharedServices& shared,
                            const Principal& principal) {
  auto body = import_answer(request, shared, principal);
  if (!body) return render(protocol_error(body.error()));
  return {.content_type = "application/json;charset=utf-8", .body = *std::move(body)};
}

}  // namespace mayfly::fauna
