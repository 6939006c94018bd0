#include "dialect/native/errors.h"

#include <fmt/format.h>

#include "dialect/common/errors.h"
#include "value/json/writer.h"

namespace mayfly::native {

net::Response render_error(const Error& error) {
  net::Response response;
  response.status = http_status(error.code);
  JsonWriter json(response.body);
  json.begin_object();
  json.name("error").begin_object();
  json.member("code", name_of(error.code));
  json.member("message", client_message(error));
  if (!error.field.empty()) {
    // A field of a document begins with a dot, which is not what the client has sent.
    const std::string_view field = error.field;
    json.member("field", field.substr(field.starts_with('.') ? 1 : 0));
  }
  json.end_object();
  json.end_object();
  add_error_headers(error.code, response);
  return response;
}

net::Response refuse_method(const net::Request& request, const std::vector<std::string>& methods) {
  std::string allowed;
  for (const std::string& method : methods) {
    allowed += (allowed.empty() ? "" : ", ") + method;
    if (method == "GET") allowed += ", HEAD";
  }
  net::Response response =
      render_error({Code::unsupported, fmt::format("{} is not offered at {}; {} is", request.method,
                                                   request.path, allowed)});
  response.status = 405;
  response.headers.emplace_back("Allow", allowed);
  return response;
}

}  // namespace mayfly::native
