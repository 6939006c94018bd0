// For tests: values in the form that the interpreter makes for results.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "dialect/fauna/run/functions/callable.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

inline FqlValue shown(ShownDocument document) {
  return std::make_shared<const ShownDocument>(std::move(document));
}

inline FqlValue shown_user() {
  ShownDocument document{.collection = module_of("Foo"), .id = "1"};
  document.fields.append("ts", FqlTime{1, 0});
  document.fields.append("a", "x");
  return shown(std::move(document));
}

inline FqlValue shown_collection() {
  ShownDocument document{.collection = module_of("Collection"), .id = "Foo", .is_named = true};
  document.fields.append("ts", FqlTime{1, 0});
  return shown(std::move(document));
}

inline FqlValue shown_missing() {
  return shown({.form = ShownDocument::Form::missing,
                .collection = module_of("Foo"),
                .id = "1",
                .cause = "not found"});
}

inline FqlValue shown_page(std::optional<FqlArray> data, std::optional<std::string> cursor) {
  return std::make_shared<const ShownPage>(ShownPage{std::move(data), std::move(cursor)});
}

class NamedFunction final : public Callable {
 public:
  explicit NamedFunction(std::string name) : name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  Arity arity() const override { return {}; }
  Result<FqlValue> call(Run&, std::span<const FqlValue>) const override { return FqlValue(); }

 private:
  std::string name_;
};

inline FqlValue named_function(std::string name) {
  return std::shared_ptr<const Callable>(std::make_shared<const NamedFunction>(std::move(name)));
}

}  // namespace mayfly::fauna
