// Remote: the server that a command calls, over the native API or another.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "value/value.h"

namespace CLI {
class App;
}

namespace mayfly::app {

// An API of a server, as error messages name it.
struct ApiName {
  const char* name = "native";
  const char* port = "7007";  // default port
};

struct Remote {
  std::string url = "http://127.0.0.1:7007";
  std::string key;
  std::string ca_file = {};      // trusted certificates in addition to the system's
  bool is_insecure_tls = false;  // every certificate is trusted
  ApiName api = {};
};
// The flags --url, --key, --ca and --insecure-tls.
void add_remote(CLI::App& verb, Remote& remote);

struct ApiRequest {
  std::string method = "GET";
  std::string path;
  std::string body = {};
  std::string author = {};        // sent as the author; empty: none
  std::string content_type = {};  // of the body; empty: that of JSON
  Span time_max = Span::seconds(60);
};
// Sends a request and blocks until its answer; an answer with status 204 is null. A refusal becomes
// an error with the server's message, code and field. A request that is refused for overload or for
// a conflict is sent again after a second, in total at most limits::client_attempts_max times.
// Fails as net::Caller::call, and with internal if the answer is not of this API.
Result<Value> call_api(const Remote& remote, const ApiRequest& request);

// The text escaped as a segment of a path or a value of a query string.
std::string escaped(std::string_view text);
// "/v1/databases/D/collections/C".
std::string collection_path(std::string_view database, std::string_view collection);

// Prints an error to standard error; gives its exit status.
int print_error(const Error& error);

}  // namespace mayfly::app
