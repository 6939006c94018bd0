// Remote: the server that a command speaks to, over the native API or another.
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

// An API of a server, as messages name it.
struct ApiName {
  const char* name = "native";
  const char* port = "7007";  // by default
};

struct Remote {
  std::string url = "http://127.0.0.1:7007";
  std::string key;
  std::string ca_file = {};      // whose certificates are trusted beside the system's
  bool is_insecure_tls = false;  // any certificate is
  ApiName api = {};
};
// The flags --url, --key, --ca and --insecure-tls.
void add_remote(CLI::App& verb, Remote& remote);

struct Ask {
  std::string method = "GET";
  std::string path;
  std::string body = {};
  std::string author = {};        // on whose behalf; empty: nobody's
  std::string content_type = {};  // of the body; empty: JSON's
  Span time_max = Span::seconds(60);
};
// Blocks; an answer without a body is null. What the server refuses is an error in its own words,
// with its code and field; what is refused for overload is asked again, limits::client_attempts_max
// times, a second apart. Fails with internal where nobody answers, or not in our words.
Result<Value> ask(const Remote& remote, const Ask& what);

// A segment of a path, or a value of a query string.
std::string escaped(std::string_view text);
// "/v1/databases/D/collections/C".
std::string collection_path(std::string_view database, std::string_view collection);

// Tells an error on standard error; gives the exit status for it.
int tell(const Error& error);

}  // namespace mayfly::app
