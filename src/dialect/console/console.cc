#include "dialect/console/console.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "dialect/console/assets.h"
#include "net/handler.h"

namespace mayfly {
namespace console {
namespace {

constexpr std::string_view base = "/console";
constexpr std::string_view page = "index.html";

// Nothing is loaded from elsewhere, no script or style stands in a page, and no other site shows
// one in a frame.
constexpr std::string_view content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const Asset* find_asset(std::string_view name) {
  const auto all = assets();
  const auto found = std::ranges::find(all, name, &Asset::name);
  return found == all.end() ? nullptr : &*found;
}

bool is_about(std::string_view path) {
  return path == "/" || path == base || (path.starts_with(base) && path[base.size()] == '/');
}

// A page that is still open may ask for a file of an earlier version.
bool is_file_name(std::string_view name) {
  return name.ends_with(".js") || name.ends_with(".css") || name.ends_with(".svg");
}

// Every page has an address, whose first file is always the same; the names in it may contain dots.
const Asset* asset_at(std::string_view path) {
  const std::string_view name = path.substr(base.size() + 1);
  if (const Asset* found = find_asset(name)) return found;
  const bool is_file = name.find('/') == std::string_view::npos && is_file_name(name);
  return is_file ? nullptr : find_asset(page);
}

// The text without blanks, in lower case.
std::string normalised(std::string_view text) {
  std::string normal;
  for (const char c : text) {
    if (c != ' ' && c != '\t')
      normal.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
  }
  return normal;
}

// Whether the header Accept-Encoding names the coding, not with a weight of 0 (RFC 9110, 12.5.3).
bool accepts(const net::Request& request, std::string_view coding) {
  const std::string* header = request.header("accept-encoding");
  if (header == nullptr) return false;
  std::string_view rest = *header;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string one = normalised(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const std::size_t semicolon = std::min(one.find(';'), one.size());
    if (std::string_view(one).substr(0, semicolon) != coding) continue;
    const std::string_view weight = std::string_view(one).substr(semicolon);
    return !weight.starts_with(";q=0") || weight.find_first_of("123456789", 4) != weight.npos;
  }
  return false;
}

net::Response text_response(int status, std::string text) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .headers = {{"Content-Security-Policy", std::string(content_policy)},
                      {"X-Content-Type-Options", "nosniff"}},
          .body = std::move(text)};
}

net::Response render(const Asset& asset, const net::Request& request) {
  net::Response response{.content_type = std::string(asset.content_type)};
  response.headers = {
      {"Content-Security-Policy", std::string(content_policy)},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Vary", "Accept-Encoding"},
      {"Cache-Control", asset.is_fixed ? "public, max-age=31536000, immutable" : "no-cache"}};
  response.view.bytes = asset.plain;
  if (accepts(request, "br")) {
    response.view.bytes = asset.brotli;
    response.headers.emplace_back("Content-Encoding", "br");
  } else if (accepts(request, "gzip")) {
    response.view.bytes = asset.gzip;
    response.headers.emplace_back("Content-Encoding", "gzip");
  }
  return response;
}

net::Response answer_request(const net::Request& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    net::Response response = text_response(405, "The console is only read.");
    response.headers.emplace_back("Allow", "GET, HEAD");
    return response;
  }
  if (request.path == "/" || request.path == base) {
    net::Response response = text_response(302, "The console is at /console/.");
    response.headers.emplace_back("Location", "/console/");
    return response;
  }
  const Asset* found = asset_at(request.path);
  return found != nullptr ? render(*found, request) : text_response(404, "There is no such file.");
}

class ConsoleRequest final : public net::AcceptedRequest {
 public:
  explicit ConsoleRequest(const net::Request& request) : AcceptedRequest(request) {
    is_page = true;
  }
  net::Pace pace() const override { return net::Pace::quick; }
  net::Response answer() override { return answer_request(request); }
  net::Response refuse(const Error& error) const override {
    return text_response(error.code == Code::throttled ? 503 : 400, error.message);
  }
};

class Console final : public Dialect {
 public:
  std::string_view name() const override { return "console"; }
  bool claims(std::string_view path) const override { return is_about(path); }
  net::AcceptedRequest& begin(const net::Request& request, net::AcceptedStorage& storage) override {
    return storage.emplace<ConsoleRequest>(request);
  }
  bool is_open() const override { return false; }
  PortAccess access(const std::string& url) const override {
    return {.sentence = "console: " + url + std::string(base) + "/"};
  }
  net::Response refuse(const Error& error) const override {
    return text_response(400, error.message);
  }
  std::size_t body_bytes_max() const override { return 0; }
};

}  // namespace
}  // namespace console

DialectRow console_dialect() {
  return {.name = "console",
          .title = "console",
          .guest_of = "native",
          .make = [](const Services&) -> std::unique_ptr<Dialect> {
            return std::make_unique<console::Console>();
          }};
}

}  // namespace mayfly
