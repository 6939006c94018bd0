#include "dialect/kuzzle/specifications/validation.h"

#include <fmt/format.h>

#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/koncorde/matcher.h"
#include "dialect/kuzzle/specifications/limits.h"
#include "value/json.h"

namespace mayfly::kuzzle::specifications {
namespace {

using Rules = std::vector<FieldRule>;

const FieldRule* find_rule(const Rules& rules, std::string_view name) {
  for (const FieldRule& rule : rules) {
    if (rule.name() == name) return &rule;
  }
  return nullptr;
}

bool is_nothing(const Value& value) {
  return value.is_missing() || value.is_null();
}

// Looks for everything that is wrong. The depth is that of the specification, which is bounded.
class Inspector {
 public:
  Inspector(Instant now, std::vector<Finding>& findings) : now_(now), findings_(findings) {}

  // The first member that no rule is about, where that is not allowed; null pointer otherwise.
  static const std::string* stranger(const Object& object, const Rules& rules, bool is_strict) {
    if (!is_strict) return nullptr;
    for (const auto& [name, value] : object) {
      if (find_rule(rules, name) == nullptr) return &name;
    }
    return nullptr;
  }

  void inspect(const Value& object, const Rules& rules, bool is_strict) {
    for (const FieldRule& rule : rules) inspect(object.member(rule.name()), rule, is_strict);
  }

  void say(const std::vector<std::string>& path, std::string message) {
    if (findings_.size() < limits::specification_findings_max) {
      findings_.push_back({path, std::move(message)});
    }
  }

 private:
  void inspect(const Value& value, const FieldRule& rule, bool is_strict) {
    if (is_nothing(value)) {
      const bool is_wanted = rule.is_mandatory && rule.default_value.is_missing();
      if (is_wanted) say(rule.path, "The field is mandatory.");
      return;
    }
    if (!rule.is_multivalued) {
      if (value.is(Kind::array)) {
        return say(rule.path, "The field is not a multivalued field; Multiple values provided.");
      }
      inspect_one(value, rule, is_strict);
      return;
    }
    if (!value.is(Kind::array)) {
      return say(rule.path, "The field must be multivalued, unary value provided.");
    }
    const auto count = static_cast<double>(value.array().size());
    if (rule.count_min.is_number() && count < rule.count_min.number()) {
      return say(rule.path, fmt::format("Not enough elements. Minimum count is set to {}.",
                                        render_json(rule.count_min)));
    }
    if (rule.count_max.is_number() && count > rule.count_max.number()) {
      return say(rule.path, fmt::format("Too many elements. Maximum count is set to {}.",
                                        render_json(rule.count_max)));
    }
    for (const Value& one : value.array()) {
      if (!inspect_one(one, rule, is_strict)) return;
    }
  }

  // Whether it is of the type; what is wrong below it does not count.
  bool inspect_one(const Value& value, const FieldRule& rule, bool is_strict) {
    if (rule.type->complaint != nullptr) {
      std::string complaint = rule.type->complaint(rule.options, value, now_);
      if (!complaint.empty()) {
        say(rule.path, std::move(complaint));
        return false;
      }
    }
    if (rule.children.empty()) return true;
    const Value* own = rule.options.find("strict");
    const bool is_strict_below = own != nullptr ? own->is_true() : is_strict;
    if (const auto* name = stranger(value.object(), rule.children, is_strict_below)) {
      say(rule.path,
          fmt::format("The field is set to \"strict\"; cannot add unspecified sub-field \"{}\".",
                      *name));
      return true;
    }
    inspect(value, rule.children, is_strict_below);
    return true;
  }

  const Instant now_;
  std::vector<Finding>& findings_;
};

Value with_defaults(const Rules& rules, Value object, Extent extent) {
  if (!object.is(Kind::object)) return object;
  for (const FieldRule& rule : rules) {
    Value value = object.member(rule.name());
    if (!rule.children.empty() && !value.is_missing()) {
      if (value.is(Kind::array)) {
        for (Value& one : value.mutable_array()) one = with_defaults(rule.children, one, extent);
      } else {
        value = with_defaults(rule.children, std::move(value), extent);
      }
      object.mutable_object().set(rule.name(), std::move(value));
      continue;
    }
    const bool takes_default = value.is_null() || (value.is_missing() && extent == Extent::whole);
    if (takes_default && !rule.default_value.is_missing()) {
      object.mutable_object().set(rule.name(), rule.default_value);
    }
  }
  return object;
}

}  // namespace

std::vector<Finding> validate(const Specification& specification, std::string_view id,
                              const Value& body, Instant now) {
  std::vector<Finding> findings;
  Inspector inspector(now, findings);
  const Rules& rules = specification.fields;
  // A specification without fields says nothing of them, however strict.
  const bool is_strict = specification.is_strict && !rules.empty();
  if (const auto* name = Inspector::stranger(body.object(), rules, is_strict)) {
    inspector.say({}, fmt::format("The document validation is strict. Cannot add unspecified "
                                  "sub-field \"{}\"",
                                  *name));
  } else {
    inspector.inspect(body, rules, is_strict);
  }
  const auto& validators = specification.validators;
  if (validators && !koncorde::fits(*validators, {id, body})) {
    inspector.say({}, "The document does not match validation filters.");
  }
  return findings;
}

Object render_findings(const std::vector<Finding>& findings) {
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
  Value told = Object();
  for (const Finding& finding : findings) {
    if (finding.path.empty()) {
      add(told, "documentScope", finding.message);
      continue;
    }
    Value* at = &member(told, "fieldScope");
    for (const std::string& name : finding.path) at = &member(member(*at, "children"), name);
    add(*at, "messages", finding.message);
  }
  return told.object();
}

tl::unexpected<Error> misfit(const Finding& finding, Shape shape) {
  const bool is_v2 = shape == Shape::v2;
  if (finding.path.empty()) {
    return problem("validation.check.failed_document",
                   fmt::format("{}{}", is_v2 ? "Failed to validate document: " : "Document: ",
                               finding.message));
  }
  const std::string path = fmt::format("{}", fmt::join(finding.path, "."));
  return problem("validation.check.failed_field",
                 is_v2 ? fmt::format("Validation failed. Field \"{}\": {}", path, finding.message)
                       : fmt::format("Field {}: {}", path, finding.message));
}

Value with_defaults(const Specification& specification, Value body, Extent extent) {
  return with_defaults(specification.fields, std::move(body), extent);
}

}  // namespace mayfly::kuzzle::specifications
