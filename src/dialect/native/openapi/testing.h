// A small validator for the part of JSON Schema that the OpenAPI document uses. For tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "value/json/json.h"
#include "value/order/order.h"
#include "value/value.h"

namespace mayfly::native::testing {

class SchemaCheck {
 public:
  // `document`: the whole OpenAPI document, to which references refer.
  explicit SchemaCheck(const Value& document) : document_(document) {}

  // What is wrong, with the path; empty if the value fits.
  std::string check(const Value& value, const Value& schema, const std::string& at) const {
    const Object& rules = schema.object();
    if (const Value* to = rules.find("$ref")) return check(value, follow(to->text()), at);
    for (const auto& [rule, with] : rules) {
      std::string wrong;
      if (rule == "type" && !has_type(value, with)) wrong = "is no " + render_json(with);
      if (rule == "enum" && !is_one_of(value, with.array())) wrong = "is none of the enum";
      if (rule == "oneOf") wrong = check_one(value, with.array(), at);
      if (rule == "minimum" && value.is_number() && value.number() < with.number()) {
        wrong = "is too small";
      }
      if (!wrong.empty()) return at + ": " + render_json(value) + " " + wrong;
    }
    if (value.is(Kind::object)) return check_members(value.object(), rules, at);
    if (value.is(Kind::array)) return check_items(value.array(), rules, at);
    return {};
  }

  Value follow(const std::string& reference) const {
    const std::string prefix = "#/components/schemas/";
    EXPECT_EQ(reference.substr(0, prefix.size()), prefix);
    const Value found =
        document_.member("components").member("schemas").member(reference.substr(prefix.size()));
    EXPECT_TRUE(found.is(Kind::object)) << reference;
    return found;
  }

 private:
  static bool has_type(const Value& value, const Value& type) {
    if (type.is(Kind::array)) {
      for (const Value& one : type.array()) {
        if (has_type(value, one)) return true;
      }
      return false;
    }
    const std::string& name = type.text();
    if (name == "object") return value.is(Kind::object);
    if (name == "array") return value.is(Kind::array);
    if (name == "string") return value.is(Kind::text);
    if (name == "integer") return value.is(Kind::integer);
    if (name == "number") return value.is_number();
    if (name == "boolean") return value.is(Kind::boolean);
    return name == "null" && value.is_null();
  }
  static bool is_one_of(const Value& value, const Array& all) {
    for (const Value& one : all) {
      if (same(one, value)) return true;
    }
    return false;
  }
  std::string check_one(const Value& value, const Array& schemas, const std::string& at) const {
    int fitting = 0;
    for (const Value& schema : schemas) fitting += check(value, schema, at).empty() ? 1 : 0;
    return fitting == 1 ? "" : "fits " + std::to_string(fitting) + " alternatives";
  }
  std::string check_members(const Object& value, const Object& rules, const std::string& at) const {
    const Value* properties = rules.find("properties");
    if (const Value* required = rules.find("required")) {
      for (const Value& name : required->array()) {
        if (value.find(name.text()) == nullptr) return at + " lacks " + name.text();
      }
    }
    const Value* others = rules.find("additionalProperties");
    const bool is_closed = others != nullptr && !others->is_true();
    for (const auto& [name, member] : value) {
      const Value* rule = properties ? properties->object().find(name) : nullptr;
      if (rule == nullptr && is_closed) return at + " has " + name;
      const std::string wrong = rule ? check(member, *rule, at + "." + name) : "";
      if (!wrong.empty()) return wrong;
    }
    return {};
  }
  std::string check_items(const Array& value, const Object& rules, const std::string& at) const {
    const Value* items = rules.find("items");
    if (items == nullptr) return {};
    for (std::size_t i = 0; i < value.size(); ++i) {
      std::string wrong = check(value[i], *items, at + "[" + std::to_string(i) + "]");
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

  Value document_;
};

}  // namespace mayfly::native::testing
