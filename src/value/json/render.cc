// Renders values as JSON text for clients.
#include "base/crypto/crypto.h"
#include "value/json/json.h"
#include "value/json/number.h"
#include "value/rfc3339.h"

namespace mayfly {
namespace {

void render_array(const Array& items, std::string& out) {
  char before = '[';
  for (const Value& item : items) {
    out.push_back(before);
    before = ',';
    render_json(item, out);
  }
  out.append(items.empty() ? "[]" : "]");
}

void render_object(const Object& members, std::string& out) {
  char before = '{';
  for (const auto& [name, value] : members) {
    if (value.is_missing()) continue;
    out.push_back(before);
    before = ',';
    render_json_text(name, out);
    out.push_back(':');
    render_json(value, out);
  }
  out.append(before == '{' ? "{}" : "}");
}

void render_reference(const Reference& reference, std::string& out) {
  out.append(R"({"collection":)");
  render_json_text(reference.collection, out);
  out.append(R"(,"id":)");
  render_json_text(reference.id, out);
  out.push_back('}');
}

}  // namespace

void render_json(const Value& value, std::string& out) {
  switch (value.kind()) {
    case Kind::missing:
    case Kind::null: out.append("null"); break;
    case Kind::boolean: out.append(value.boolean() ? "true" : "false"); break;
    case Kind::integer: put_integer(out, value.integer()); break;
    case Kind::real: put_real(out, value.real()); break;
    case Kind::text: render_json_text(value.text(), out); break;
    case Kind::time: render_json_text(render_rfc3339(value.time()), out); break;
    case Kind::date: render_json_text(render_date(value.date()), out); break;
    case Kind::binary: render_json_text(encode_base64(value.binary().bytes), out); break;
    case Kind::reference: render_reference(value.reference(), out); break;
    case Kind::array: render_array(value.array(), out); break;
    case Kind::object: render_object(value.object(), out); break;
  }
}

std::string render_json(const Value& value) {
  std::string out;
  render_json(value, out);
  return out;
}

}  // namespace mayfly
