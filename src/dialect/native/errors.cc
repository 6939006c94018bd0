#include "dialect/native/errors.h"

#include <fmt/format.h>

#include "dialect/common/errors.h"
#include "value/json/json.h"

namespace mayfly::native {

net::Response render_error(const Error& error) {
  net::Response response;
  response.status = http_status(error.code);
  std::string& body = response.body;
  body = R"({"error":{"code":)";
  render_json_text(name_of(error.code), body);
  body += R"(,"message":)";
  render_json_text(client_message(error), body);
  if (!error.field.empty()) {
    body += R"(,"field":)";
    // A field of a document begins with a dot, which is not what the client has sent.
    const std::string_view field = error.field;
    render_json_text(field.substr(field.starts_with('.') ? 1 : 0), body);
  }
  body += "}}";
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
