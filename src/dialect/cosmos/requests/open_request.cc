#include "dialect/cosmos/requests/open_request.h"

#include <fmt/format.h>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/errors.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view ready_path = "/ready";
constexpr std::string_view alive_path = "/alive";
// The path at which emulators of the service show the certificate to trust; scripts also wait for
// it.
constexpr std::string_view certificate_path = "/_explorer/emulator.pem";
// The paths of their page for a browser.
constexpr std::string_view page_paths[] = {"/_explorer/index.html", "/_explorer/", "/_explorer"};

bool is_page_path(std::string_view path) {
  return path == page_paths[0] || path == page_paths[1] || path == page_paths[2];
}

// Escapes text that a client has sent for the page.
std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '&': safe += "&amp;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += c;
    }
  }
  return safe;
}

// The key is shown only if it is the well-known one.
net::Response show_page(std::string_view endpoint, bool has_well_known_key) {
  const std::string_view key = has_well_known_key ? well_known_key : "YOUR_KEY";
  const std::string_view about_key =
      has_well_known_key
          ? "The key is the well-known one of Cosmos DB emulators. Set <code>cosmos.key</code> for "
            "another."
          : "Put the key that <code>cosmos.key</code> sets in the place of YOUR_KEY.";
  net::Response page{.content_type = "text/html; charset=utf-8"};
  page.body = fmt::format(
      R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Mayfly: Cosmos DB API</title></head><body>
<h1>Mayfly: Cosmos DB API</h1>
<p>This address answers the clients of Azure Cosmos DB. The connection string:</p>
<pre>AccountEndpoint={}/;AccountKey={};</pre>
<p>{}</p>
<p>Over TLS, clients must trust <a href="/_explorer/emulator.pem">the certificate</a>.
<a href="/ready">/ready</a> and <a href="/alive">/alive</a> report the state of the server.</p>
</body></html>
)",
      escaped(endpoint), key, about_key);
  page.headers.emplace_back("content-security-policy", "default-src 'none'");
  return page;
}

}  // namespace

bool is_open_to_all(std::string_view path) {
  return path == ready_path || path == alive_path || path == certificate_path || is_page_path(path);
}

OpenRequest::OpenRequest(const net::Request& request, const Services& services,
                         const AccountKeys& keys)
    : AcceptedRequest(request), services_(services), keys_(keys) {
  is_urgent = true;
}

net::Response OpenRequest::answer() {
  if (is_page_path(request.path))
    return show_page(endpoint_of(request), keys_.has_well_known_key());
  return request.path == certificate_path ? show_certificate() : report_health();
}

net::Response OpenRequest::refuse(const Error& error) const {
  return render_error(error, {}, services_.random.uuid());
}

// The server is alive while it answers, and ready unless it reports a reason.
net::Response OpenRequest::report_health() const {
  const bool asks = request.path == ready_path && services_.readiness;
  const Result<void> ready = asks ? services_.readiness() : Result<void>{};
  if (ready) return {.body = R"({"status":"ok"})"};
  net::Response response{.status = 503};
  render_json(Object{{"status", "not_ready"}, {"reason", ready.error().message}}, response.body);
  return response;
}

net::Response OpenRequest::show_certificate() const {
  if (!services_.certificate.empty()) {
    return {.content_type = "application/x-pem-file", .view = {services_.certificate}};
  }
  return refuse({Code::not_found, "there is no certificate, because this server speaks no TLS"});
}

}  // namespace mayfly::cosmos
