#include "dialect/fauna/run/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/limits.h"
#include "dialect/fauna/sets/set.h"
#include "dialect/fauna/values/order.h"
#include "dialect/fauna/values/text/text.h"

namespace mayfly::fauna {
namespace {

std::string_view effect_text(Effect effect) {
  switch (effect) {
    case Effect::pure: return "nothing";
    case Effect::observation: return "an observation";
    case Effect::read: return "a read";
    case Effect::write: return "a write";
  }
  return "nothing";
}

// Scope guard: counts nested calls.
class Frame {
 public:
  explicit Frame(std::size_t& depth) : depth_(depth) { ++depth_; }
  ~Frame() { --depth_; }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

 private:
  std::size_t& depth_;
};

}  // namespace

tl::unexpected<Error> Run::fail(std::string_view code, std::string message) {
  return fail(QueryFailure{.code = std::string(code), .message = std::move(message)});
}

tl::unexpected<Error> Run::fail(QueryFailure failure) {
  Error error{Code::invalid, failure.message};
  if (!failure_) failure_ = std::move(failure);
  return tl::unexpected<Error>(std::move(error));
}

tl::unexpected<Error> Run::fail_argument(std::string_view name, std::string_view reason) {
  return fail("invalid_argument", fmt::format("invalid argument `{}`: {}", name, reason));
}

tl::unexpected<Error> Run::fail_argument_type(std::string_view name, std::string_view type,
                                              const FqlValue& received) {
  auto got = received_type(received);
  if (!got) return tl::unexpected<Error>(std::move(got).error());
  return fail("invalid_argument",
              fmt::format("expected value for `{}` of type {}, received {}", name, type, *got));
}

Result<std::string> Run::received_type(const FqlValue& value) {
  if (value.is(FqlKind::document) && !TRY(exists(value))) return std::string("NullDoc");
  return type_name(value);
}

Result<void> Run::make(std::size_t bytes) {
  if (bytes <= limits::fql_made_bytes_max - made_bytes_) {
    made_bytes_ += bytes;
    return {};
  }
  return fail("value_too_large", fmt::format("Value too large: the query makes more than {} bytes.",
                                             limits::fql_made_bytes_max));
}

Result<void> Run::check_elements(std::size_t count) {
  if (count <= limits::fql_elements_max) return {};
  return fail("value_too_large", fmt::format("Value too large: array size {} exceeds limit {}",
                                             count, limits::fql_elements_max));
}

tl::unexpected<Error> Run::fail_stack_overflow() {
  return fail("stack_overflow",
              fmt::format("number of stack frames exceeded limit of {}", limits::fql_frames_max));
}

Result<void> Run::check_depth(const FqlValue& value) {
  if (value.depth() <= limits::fql_value_depth_max) return {};
  return fail("value_too_large",
              fmt::format("Value too large: nested deeper than {}", limits::fql_value_depth_max));
}

Result<void> Run::make_values(std::size_t count) {
  if (count <= limits::fql_uncounted_values_max) return {};
  return make(count * sizeof(FqlValue));
}

Result<void> Run::check_text(std::size_t bytes) {
  TRY(check_growing_text(bytes));
  return make(bytes);
}

Result<void> Run::check_growing_text(std::size_t bytes) {
  if (bytes <= limits::fql_text_bytes_max) return {};
  return fail("value_too_large", fmt::format("Value too large: string size {} exceeds limit {}",
                                             bytes, limits::fql_text_bytes_max));
}

Result<void> Run::check_effect(Effect effect, std::string_view action) {
  if (effect <= effect_limit_.most) return {};
  return fail("invalid_effect", fmt::format("{} performs {}, which is not allowed in {}.", action,
                                            effect_text(effect), effect_limit_.context));
}

Run::EffectScope::EffectScope(Run& run, EffectLimit limit) : run_(run), before_(run.effect_limit_) {
  if (limit.most < before_.most) run_.effect_limit_ = limit;
}

Result<FqlValue> Run::call(const Callable& callable, std::span<const FqlValue> arguments) {
  const Arity arity = callable.arity();
  if (!arity.takes(arguments.size())) return fail_arity(arity, arguments.size());
  return enter(callable, arguments);
}

Result<FqlValue> Run::enter(const Callable& callable, std::span<const FqlValue> arguments) {
  if (depth_ >= limits::fql_frames_max) {
    return fail_stack_overflow();
  }
  TRY(step());
  const Frame frame(depth_);
  return callable.call(*this, arguments);
}

tl::unexpected<Error> Run::fail_arity(Arity arity, std::size_t count) {
  return fail("invalid_function_invocation",
              fmt::format("callee function expects {}, but {} {} provided.", arity.text(), count,
                          count == 1 ? "was" : "were"));
}

Result<FqlValue> Run::call_back(const Callable& callback, std::string_view name,
                                std::span<const FqlValue> arguments) {
  const Arity arity = callback.arity();
  if (arity.takes(arguments.size())) return enter(callback, arguments);
  return fail(
      "invalid_argument",
      fmt::format("`{}` should accept {} parameter{}, provided function requires {}.", name,
                  arguments.size(), arguments.size() == 1 ? "" : "s", arity.text("parameter")));
}

Result<bool> Run::call_predicate(const Callable& predicate, std::string_view name,
                                 std::span<const FqlValue> arguments) {
  const FqlValue result = TRY(call_back(predicate, name, arguments));
  if (result.is_null()) return false;
  return boolean(result);
}

Result<bool> Run::boolean(const FqlValue& value) {
  if (value.is(FqlKind::boolean)) return value.boolean();
  return fail_type("Boolean", value);
}

tl::unexpected<Error> Run::fail_type(std::string_view type, const FqlValue& received) {
  auto got = received_type(received);
  if (!got) return tl::unexpected<Error>(std::move(got).error());
  return fail("type_mismatch", fmt::format("expected type: {}, received {}", type, *got));
}

Result<bool> Run::is_null(const FqlValue& value) {
  if (value.is(FqlKind::document)) return !TRY(exists(value));
  return value.is_null();
}

Result<bool> Run::equal(const FqlValue& a, const FqlValue& b) {
  if (a.is_null()) return is_null(b);
  if (b.is_null()) return is_null(a);
  if (a.is(FqlKind::set) && b.is(FqlKind::set)) return equal_sets(*this, *a.set(), *b.set());
  return fauna::equal(meter_, a, b);
}

void Run::log_display(std::string text) {
  logs.add("info: " + std::move(text));
}

void Run::log_debug(std::string text) {
  logs.add("info: " + std::move(text));
}

}  // namespace mayfly::fauna
