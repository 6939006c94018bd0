// Values on their way into a script and out of it, and the functions by which it asks for them.
#include "dialect/cosmos/scripts/engine_state.h"

#include <js/Conversions.h>
#include <js/JSON.h>
#include <jsfriendapi.h>

#include <cmath>
#include <vector>

#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/scripts/limits.h"
#include "value/json.h"

namespace mayfly::cosmos {
namespace {

constexpr double whole_number_max = 9'007'199'254'740'991;  // 2^53 - 1

Error crosses_too_much() {
  return {Code::too_large, "A value that a script gives is larger than script_value_bytes_max (" +
                               std::to_string(limits::script_value_bytes_max) + " bytes)."};
}

bool append_json(const char16_t* chars, std::uint32_t size, void* out) {
  auto& text = *static_cast<std::u16string*>(out);
  if (text.size() + size > limits::script_value_bytes_max) return false;
  text.append(chars, size);
  return true;
}

Result<Value> from_object(JSContext* cx, JS::HandleValue value) {
  JS::RootedValue object(cx, value);
  std::u16string json;
  if (!JS_Stringify(cx, &object, nullptr, JS::NullHandleValue, append_json, &json)) {
    if (JS_IsExceptionPending(cx) || running->stopped) {
      return tl::unexpected(running->take_error());
    }
    return tl::unexpected(crosses_too_much());
  }
  const JS::RootedString text(cx, JS_NewUCStringCopyN(cx, json.data(), json.size()));
  if (!text) return tl::unexpected(running->take_error());
  return parse_json(TRY(utf8_of(cx, text)));
}

// The script's `host`.
bool call_host(JSContext* cx, unsigned count, JS::Value* vp) {
  const JS::CallArgs given = JS::CallArgsFromVp(count, vp);
  Script::State& state = *running;
  if (!state.goes_on()) return false;
  const auto ask = [&]() -> Result<Value> {
    std::vector<Value> values;
    for (unsigned i = 0; i < given.length(); ++i) {
      values.push_back(TRY(from_script(cx, given[i])));
    }
    if (values.empty() || !values.front().is(Kind::text)) {
      return fail(Code::invalid, "a host function is called by its name");
    }
    return state.setting.host(values.front().text(), std::span(values).subspan(1));
  };
  auto answer = ask();
  if (answer) return to_script(cx, *answer, given.rval());
  if (!state.stopped) state.stopped = std::move(answer).error();
  JS_ClearPendingException(cx);
  return false;
}

// In the place of JSON.parse, which makes many small pieces of memory of a text, and does not look
// at its bounds until it is done.
bool parse_bounded(JSContext* cx, unsigned count, JS::Value* vp) {
  const JS::CallArgs given = JS::CallArgsFromVp(count, vp);
  const JS::RootedString text(cx, JS::ToString(cx, given.get(0)));
  if (!text) return false;
  if (JS_GetStringLength(text) > limits::script_value_bytes_max) {
    running->stopped = took_too_much();
    return false;
  }
  JS::RootedValueArray<2> values(cx);
  values[0].setString(text);
  values[1].set(given.get(1));
  return JS::Call(cx, JS::UndefinedHandleValue, running->parse, values, given.rval());
}

bool bound_parsing(Script::State& state) {
  JS::RootedValue json(state.cx);
  if (!JS_GetProperty(state.cx, state.global, "JSON", &json) || !json.isObject()) return false;
  const JS::RootedObject object(state.cx, &json.toObject());
  return JS_GetProperty(state.cx, object, "parse", &state.parse) &&
         JS_DefineFunction(state.cx, object, "parse", parse_bounded, 2, 0) != nullptr;
}

// Of what is searched: a text, or a list whose items are each compared.
bool length_of(JSContext* cx, JS::HandleValue searched, double& length) {
  if (searched.isString()) {
    length = static_cast<double>(JS_GetStringLength(searched.toString()));
    return true;
  }
  if (!searched.isObject()) return true;
  const JS::RootedObject list(cx, &searched.toObject());
  JS::RootedValue value(cx);
  if (!JS_GetProperty(cx, list, "length", &value)) return false;
  if (value.isNumber()) length = value.toNumber();
  return true;
}

// In the place of the functions that search one text in another, or among many.
bool search_bounded(JSContext* cx, unsigned count, JS::Value* vp) {
  const JS::CallArgs given = JS::CallArgsFromVp(count, vp);
  const JS::RootedValue search(cx, js::GetFunctionNativeReserved(&given.callee(), 0));
  if (given.get(0).isString()) {
    double length = 0;
    if (!length_of(cx, given.thisv(), length)) return false;
    const std::size_t sought = JS_GetStringLength(given[0].toString());
    if (length * static_cast<double>(sought) >
        static_cast<double>(limits::script_search_work_max)) {
      running->stopped = Error{
          Code::too_large,
          "The script searches a text that is longer than it may be (script_search_work_max)."};
      return false;
    }
  }
  return JS::Call(cx, given.thisv(), search, given, given.rval());
}

struct Search {
  const char* name;
  unsigned arguments;
};

bool bound_searching(Script::State& state, const char* type_name,
                     std::span<const Search> searches) {
  JSContext* const cx = state.cx;
  JS::RootedValue value(cx);
  if (!JS_GetProperty(cx, state.global, type_name, &value) || !value.isObject()) return false;
  const JS::RootedObject type(cx, &value.toObject());
  if (!JS_GetProperty(cx, type, "prototype", &value) || !value.isObject()) return false;
  const JS::RootedObject prototype(cx, &value.toObject());
  for (const auto& [name, arguments] : searches) {
    if (!JS_GetProperty(cx, prototype, name, &value)) return false;
    JSFunction* const bounded =
        js::DefineFunctionWithReserved(cx, prototype, name, search_bounded, arguments, 0);
    if (bounded == nullptr) return false;
    js::SetFunctionNativeReserved(JS_GetFunctionObject(bounded), 0, value);
  }
  return true;
}

}  // namespace

bool to_script(JSContext* cx, const Value& value, JS::MutableHandleValue out) {
  switch (value.kind()) {
    case Kind::missing: out.setUndefined(); return true;
    case Kind::null: out.setNull(); return true;
    case Kind::boolean: out.setBoolean(value.boolean()); return true;
    case Kind::integer: out.setNumber(static_cast<double>(value.integer())); return true;
    case Kind::real: out.setNumber(value.real()); return true;
    default: break;
  }
  const bool is_text = value.is(Kind::text);
  const std::string utf8 = is_text ? value.text() : render_json(value);
  const JS::UTF8Chars chars(utf8.data(), utf8.size());
  const JS::RootedString text(cx, JS_NewStringCopyUTF8N(cx, chars));
  if (!text) return false;
  if (!is_text) return JS_ParseJSON(cx, text, out);
  out.setString(text);
  return true;
}

Result<std::string> utf8_of(JSContext* cx, JS::HandleString text) {
  if (JS_GetStringLength(text) > limits::script_value_bytes_max) {
    return tl::unexpected(crosses_too_much());
  }
  const JS::UniqueChars chars = JS_EncodeStringToUTF8(cx, text);
  if (!chars) return tl::unexpected(running->take_error());
  return std::string(chars.get());
}

Result<Value> from_script(JSContext* cx, JS::HandleValue value) {
  if (value.isUndefined()) return Value();
  if (value.isNull()) return Value(nullptr);
  if (value.isBoolean()) return Value(value.toBoolean());
  if (value.isString()) {
    const JS::RootedString text(cx, value.toString());
    return Value(TRY(utf8_of(cx, text)));
  }
  if (!value.isNumber()) return from_object(cx, value);
  const double number = value.toNumber();
  if (!std::isfinite(number)) return Value(nullptr);
  const bool is_whole = std::trunc(number) == number && std::abs(number) <= whole_number_max;
  return is_whole ? Value(static_cast<std::int64_t>(number)) : Value(number);
}

bool define_functions(Script::State& state) {
  constexpr Search of_texts[] = {{"indexOf", 1}, {"lastIndexOf", 1}, {"includes", 1},
                                 {"split", 2},   {"replace", 2},     {"replaceAll", 2}};
  constexpr Search of_lists[] = {{"indexOf", 1}, {"lastIndexOf", 1}, {"includes", 1}};
  if (!bound_parsing(state) || !bound_searching(state, "String", of_texts) ||
      !bound_searching(state, "Array", of_lists)) {
    return false;
  }
  return !state.setting.host ||
         JS_DefineFunction(state.cx, state.global, "host", call_host, 0, 0) != nullptr;
}

}  // namespace mayfly::cosmos
