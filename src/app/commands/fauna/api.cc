#include "app/commands/fauna/api.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "value/json/json.h"

namespace mayfly::app {

Remote fauna_remote(const Remote& native, const Remote& fauna, bool has_url) {
  Remote remote = native;
  remote.key = fauna.key;
  remote.api = fauna.api;
  if (!has_url) remote.url = std::string("http://127.0.0.1:") + fauna.api.port;
  return remote;
}

Result<Value> call_fauna(const Remote& remote, const ApiRequest& request,
                         const char* missing_message) {
  return call_api(remote, request).map_error([&](Error error) {
    if (error.code == Code::unauthenticated) {
      error.message += "; give the secret by --secret or in the variable MAYFLY_FAUNA_SECRET. One ";
      error.message += "that names a database is refused while that is missing";
      error.message += missing_message;
    }
    if (error.code == Code::forbidden) error.message += "; the secret needs the role admin";
    if (error.code == Code::not_found) {
      error.message += "; --url names the Fauna port of a server, 8443 by default";
    }
    return error;
  });
}

std::string query_body(const char* text, const std::string& name) {
  const Object query{{"query", Value(text)}, {"arguments", Value(Object{{"name", Value(name)}})}};
  return render_json(Value(query));
}

void add_secret(CLI::App& verb, std::string& secret) {
  verb.add_option("--secret", secret,
                  "With --fauna: a secret of the Fauna API with the role admin; by default that of "
                  "a server whose fauna.secret is not set.")
      ->envname("MAYFLY_FAUNA_SECRET");
}

}  // namespace mayfly::app
