// Conversion of values into and out of a script, and the functions that scripts call for it.
#include "script/engine/state.h"

#include <js/CharacterEncoding.h>
#include <js/Conversions.h>
#include <js/JSON.h>
#include <js/String.h>
#include <jsfriendapi.h>

#include <span>

#include "script/limits.h"

namespace mayfly::script {
namespace {

bool append_json(const char16_t* chars, std::uint32_t size, void* out) {
  auto& text = *static_cast<std::u16string*>(out);
  if (text.size() + size > limits::script_value_bytes_max) return false;
  text.append(chars, size);
  return true;
}

// Stops the script; none of its code runs any more.
bool refuse(Error error) {
  if (!engine->refused) engine->refused = std::move(error);
  JS_ClearPendingException(engine->cx);
  return false;
}

bool ask_server(JSContext* cx, unsigned count, JS::Value* vp) {
  const JS::CallArgs arguments = JS::CallArgsFromVp(count, vp);
  if (engine->refused) return false;
  const JS::RootedString name(cx, JS::ToString(cx, arguments.get(0)));
  if (!name) return false;
  const auto text = utf8_of(cx, name);
  if (!text) return refuse(text.error());
  Bytes content;
  put_text(content, *text);
  put_varint(content, count > 1 ? count - 1 : 0);
  for (unsigned i = 1; i < count; ++i) {
    if (const auto put = from_script(cx, arguments[i], content); !put) return refuse(put.error());
  }
  const auto answer = engine->ask(content);
  if (!answer) return refuse(answer.error());
  Reader reader(*answer);
  return to_script(cx, take_encoded_value(reader), arguments.rval());
}

// The length of the searched text, or of a list whose items are compared.
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

// Replaces functions that search for a text in another, or in a list.
bool search_bounded(JSContext* cx, unsigned count, JS::Value* vp) {
  const JS::CallArgs arguments = JS::CallArgsFromVp(count, vp);
  const JS::RootedValue search(cx, js::GetFunctionNativeReserved(&arguments.callee(), 0));
  if (arguments.get(0).isString()) {
    double length = 0;
    if (!length_of(cx, arguments.thisv(), length)) return false;
    const std::size_t sought = JS_GetStringLength(arguments[0].toString());
    if (length * static_cast<double>(sought) >
        static_cast<double>(limits::script_search_work_max)) {
      return refuse(
          {Code::too_large,
           "The script searches a text that is longer than it may be (script_search_work_max)."});
    }
  }
  return JS::Call(cx, arguments.thisv(), search, arguments, arguments.rval());
}

struct SearchFunction {
  const char* name;
  unsigned arguments;
};

bool replace_searches(JSContext* cx, JS::HandleObject global, const char* type_name,
                      std::span<const SearchFunction> searches) {
  JS::RootedValue value(cx);
  if (!JS_GetProperty(cx, global, type_name, &value) || !value.isObject()) return false;
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

Error value_too_large() {
  return {Code::too_large, "A value that a script gives is larger than script_value_bytes_max (" +
                               std::to_string(limits::script_value_bytes_max) + " bytes)."};
}

bool to_script(JSContext* cx, const EncodedValue& encoded, JS::MutableHandleValue out) {
  if (encoded.kind == EncodedValue::Kind::undefined) out.setUndefined();
  if (encoded.kind == EncodedValue::Kind::number) out.setNumber(encoded.number);
  if (encoded.kind != EncodedValue::Kind::text && encoded.kind != EncodedValue::Kind::json)
    return true;
  const JS::UTF8Chars chars(encoded.text.data(), encoded.text.size());
  const JS::RootedString text(cx, JS_NewStringCopyUTF8N(cx, chars));
  if (!text) return false;
  if (encoded.kind == EncodedValue::Kind::json) return JS_ParseJSON(cx, text, out);
  out.setString(text);
  return true;
}

Result<std::string> utf8_of(JSContext* cx, JS::HandleString text) {
  if (JS_GetStringLength(text) > limits::script_value_bytes_max) {
    return tl::unexpected(value_too_large());
  }
  JSLinearString* const linear = JS_EnsureLinearString(cx, text);
  if (linear == nullptr) return tl::unexpected(engine->take_error());
  std::string utf8(JS::GetDeflatedUTF8StringLength(linear), '\0');
  utf8.resize(JS::DeflateStringToUTF8Buffer(linear, {utf8.data(), utf8.size()}));
  return utf8;
}

Result<std::string> json_of(JSContext* cx, JS::HandleValue object) {
  JS::RootedValue value(cx, object);
  std::u16string json;
  if (!JS_Stringify(cx, &value, nullptr, JS::NullHandleValue, append_json, &json)) {
    if (JS_IsExceptionPending(cx) || engine->refused) return tl::unexpected(engine->take_error());
    return tl::unexpected(value_too_large());
  }
  const JS::RootedString text(cx, JS_NewUCStringCopyN(cx, json.data(), json.size()));
  if (!text) return tl::unexpected(engine->take_error());
  return utf8_of(cx, text);
}

Result<void> from_script(JSContext* cx, JS::HandleValue value, Bytes& out) {
  using enum EncodedValue::Kind;
  if (value.isUndefined()) {
    put_encoded_value(out, {});
  } else if (value.isNumber()) {
    put_encoded_value(out, {.kind = number, .number = value.toNumber()});
  } else if (value.isString()) {
    const JS::RootedString string(cx, value.toString());
    const std::string own = TRY(utf8_of(cx, string));
    put_encoded_value(out, {.kind = text, .text = own});
  } else {
    const std::string own = TRY(json_of(cx, value));
    put_encoded_value(out, {.kind = json, .text = own});
  }
  return {};
}

JSObject* new_ask_function(JSContext* cx) {
  JSFunction* const ask = JS_NewFunction(cx, ask_server, 1, 0, "ask");
  return ask == nullptr ? nullptr : JS_GetFunctionObject(ask);
}

bool bound_searching(Engine::State& state) {
  constexpr SearchFunction of_texts[] = {{"indexOf", 1}, {"lastIndexOf", 1}, {"includes", 1},
                                         {"split", 2},   {"replace", 2},     {"replaceAll", 2}};
  constexpr SearchFunction of_lists[] = {{"indexOf", 1}, {"lastIndexOf", 1}, {"includes", 1}};
  const JS::HandleObject global = state.globals->global;
  return replace_searches(state.cx, global, "String", of_texts) &&
         replace_searches(state.cx, global, "Array", of_lists);
}

}  // namespace mayfly::script
