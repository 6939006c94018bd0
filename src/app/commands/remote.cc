// Calls a server, and turns its refusals into errors of commands.
#include "app/commands/remote.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <chrono>
#include <cstdio>
#include <thread>

#include "base/limits.h"
#include "net/calls/client.h"
#include "net/url/percent.h"
#include "value/json/json.h"

namespace mayfly::app {
namespace {

constexpr JsonLimits answer_limits{.bytes_max = limits::client_answer_bytes_max,
                                   .depth_max = limits::document_depth_max + 8};

// For an API whose codes have other names: the code by HTTP status.
Code code_of_status(int status) {
  switch (status) {
    case 400: return Code::invalid;
    case 401: return Code::unauthenticated;
    case 403: return Code::forbidden;
    case 404: return Code::not_found;
    case 409: return Code::contended;
    case 413: return Code::too_large;
    case 429: return Code::throttled;
    default: return Code::internal;
  }
}

Code code_of(std::string_view name, int status) {
  for (int i = 0; i < static_cast<int>(Code::internal); ++i) {
    if (name == name_of(static_cast<Code>(i))) return static_cast<Code>(i);
  }
  return name == name_of(Code::internal) ? Code::internal : code_of_status(status);
}

Error no_such_api(const Remote& remote, const std::string& url, const net::Response& response) {
  return {Code::internal, url + " is not the " + remote.api.name +
                              " port of a Mayfly server; `mayfly serve` prints that port at the "
                              "start, " +
                              remote.api.port + " by default (it answers with status " +
                              std::to_string(response.status) + ")"};
}

Error error_in(const Value& answer, const Remote& remote, const std::string& url,
               const net::Response& response) {
  const Value error = answer.member("error");
  const Value code = error.member("code"), message = error.member("message"),
              field = error.member("field");
  if (!code.is(Kind::text) || !message.is(Kind::text)) {
    return no_such_api(remote, url, response);
  }
  Error refusal{code_of(code.text(), response.status), message.text(),
                field.is(Kind::text) ? field.text() : ""};
  if (refusal.code == Code::unauthenticated && refusal.field == "Authorization") {
    refusal.message += "; give it by --key or in the variable MAYFLY_KEY";
  }
  return refusal;
}

// The error for a request without an answer.
Error with_flags(Error error) {
  if (error.code == Code::forbidden) error.message += "; --ca FILE names a certificate to trust";
  if (error.field == "url") error.message += "; --url names another";
  if (error.code == Code::internal) error.message += "; is the server running? --url names another";
  return error;
}

Result<Value> call_api_once(const Remote& remote, const ApiRequest& request) {
  std::string url = remote.url;
  if (url.find("://") == std::string::npos) url.insert(0, "http://");
  while (url.ends_with('/')) url.pop_back();
  net::OutgoingCall call{.method = request.method,
                         .url = url + request.path,
                         .body = request.body,
                         .time_max = request.time_max,
                         .answer_bytes_max = limits::client_answer_bytes_max,
                         .trust = {.ca_file = remote.ca_file, .checks = !remote.is_insecure_tls}};
  if (!remote.key.empty()) call.headers.emplace_back("authorization", "Bearer " + remote.key);
  if (!request.content_type.empty()) {
    call.headers.emplace_back("content-type", request.content_type);
  }
  if (!request.author.empty()) call.headers.emplace_back("mayfly-author", request.author);
  const net::Response response = TRY(net::fetch(std::move(call)).map_error(with_flags));
  if (response.status == 204) return Value(Null{});
  auto answer = parse_json(response.body, answer_limits);
  if (!answer) return tl::unexpected(no_such_api(remote, url, response));
  if (response.status < 300) return *std::move(answer);
  return tl::unexpected(error_in(*answer, remote, url, response));
}

}  // namespace

void add_remote(CLI::App& verb, Remote& remote) {
  verb.add_option("--url", remote.url,
                  "The URL of the server's native API, with http:// or https://.")
      ->envname("MAYFLY_URL")
      ->capture_default_str();
  verb.add_option("--key", remote.key, "A key of the server, if it needs one.")
      ->envname("MAYFLY_KEY");
  verb.add_option("--ca", remote.ca_file,
                  "Certificates in PEM that are trusted over https beside the system's, as "
                  "DIR/tls/certificate.pem of a server with one of its own.")
      ->type_name("FILE");
  verb.add_flag("--insecure-tls", remote.is_insecure_tls,
                "Trusts any certificate: whoever is between reads and changes everything.");
}

Result<Value> call_api(const Remote& remote, const ApiRequest& request) {
  for (int attempt = 1;; ++attempt) {
    auto answer = call_api_once(remote, request);
    if (answer || attempt == limits::client_attempts_max) return answer;
    const Code code = answer.error().code;
    if (code != Code::throttled && code != Code::contended) return answer;
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

std::string escaped(std::string_view text) {
  return net::encode_percent(text);
}

std::string collection_path(std::string_view database, std::string_view collection) {
  return "/v1/databases/" + escaped(database) + "/collections/" + escaped(collection);
}

int print_error(const Error& error) {
  std::fprintf(stderr, "mayfly: %s\n", error.message.c_str());
  return 1;
}

}  // namespace mayfly::app
