#include "dialect/kuzzle/specifications/validation.h"

#include <fmt/format.h>

#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/koncorde/matcher.h"
#include "dialect/kuzzle/specifications/limits.h"
#include "value/json/json.h"

namespace mayfly::kuzzle::specifications {
namespace {

ValidationError finding_of(const Violation& violation) {
  ValidationError finding;
  for (const Step& step : violation.path.steps) {
    if (const auto* name = std::get_if<std::string>(&step)) finding.path.push_back(*name);
  }
  finding.message = words_of(violation);
  if (violation.what != Violation::What::unknown) return finding;
  const std::string stranger = std::move(finding.path.back());
  finding.path.pop_back();
  finding.message =
      fmt::format("{} unspecified sub-field \"{}\"{}",
                  finding.path.empty() ? "The document validation is strict. Cannot add"
                                       : "The field is set to \"strict\"; cannot add",
                  stranger, finding.path.empty() ? "" : ".");
  return finding;
}

}  // namespace

Result<std::vector<ValidationError>> validate(const Specification& specification,
                                              std::string_view id, const Value& body, Instant now,
                                              Meter meter) {
  const Inspection inspection{
      .meter = meter, .violations_max = limits::specification_errors_max, .now = now};
  std::vector<ValidationError> findings;
  const auto violations = TRY(inspect(body, specification.document, inspection));
  for (const Violation& violation : violations) findings.push_back(finding_of(violation));
  const auto& validators = specification.validators;
  if (validators && findings.size() < inspection.violations_max &&
      !TRY(koncorde::fits(*validators, {id, body}, meter))) {
    findings.push_back({{}, "The document does not match validation filters."});
  }
  return findings;
}

Object render_validation_errors(const std::vector<ValidationError>& findings) {
  const auto add = [](Value& to, std::string_view list, const std::string& message) {
    Object& object = to.mutable_object();
    if (object.find(list) == nullptr) object.set(list, Array());
    object.find(list)->mutable_array().emplace_back(message);
  };
  const auto member = [](Value& of, std::string_view name) -> Value& {
    Object& object = of.mutable_object();
    if (object.find(name) == nullptr) object.set(name, Object());
    return *object.find(name);
  };
  Value answer = Object();
  for (const ValidationError& finding : findings) {
    if (finding.path.empty()) {
      add(answer, "documentScope", finding.message);
      continue;
    }
    Value* at = &member(answer, "fieldScope");
    for (const std::string& name : finding.path) at = &member(member(*at, "children"), name);
    add(*at, "messages", finding.message);
  }
  return answer.object();
}

tl::unexpected<Error> violation_error(const ValidationError& finding, const Words& words) {
  if (finding.path.empty()) {
    return problem("validation.check.failed_document",
                   fill_words(words.violation_of_document, finding.message));
  }
  const std::string path = fmt::format("{}", fmt::join(finding.path, "."));
  return problem("validation.check.failed_field",
                 fill_words(words.violation_of_field, path, finding.message));
}

}  // namespace mayfly::kuzzle::specifications
