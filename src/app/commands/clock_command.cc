// `mayfly clock`: asks a server for its time, and moves a virtual clock.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>

#include "app/commands/commands.h"
#include "net/client.h"
#include "value/json.h"
#include "value/rfc3339.h"

namespace mayfly::app {
namespace {

struct Given {
  std::string url = "http://127.0.0.1:7007";
  std::string key;
  std::string advance;
  std::string set;
};

// "90", "90s", "15m", "24h", "60d" as seconds.
Result<double> parse_span(const std::string& text) {
  static const std::pair<char, double> units[] = {{'s', 1}, {'m', 60}, {'h', 3'600}, {'d', 86'400}};
  char* end = nullptr;
  const double amount = std::strtod(text.c_str(), &end);
  double unit = 1;
  for (const auto& [letter, seconds] : units) {
    if (*end == letter) unit = seconds;
  }
  const bool has_unit = unit != 1 || *end == 's';
  if (end == text.c_str() || end[has_unit ? 1 : 0] != '\0' || !(amount >= 0)) {
    return fail(Code::invalid, "'" + text + "' is no span of time; say 90, 15m, 24h or 60d");
  }
  return amount * unit;
}

Result<std::string> move_clock(const Given& given) {
  net::Call call{.url = given.url + "/v1/clock"};
  if (!given.key.empty()) call.headers.emplace_back("authorization", "Bearer " + given.key);
  if (!given.advance.empty()) {
    call.method = "POST";
    call.body = render_json(Object{{"advance_seconds", TRY(parse_span(given.advance))}});
  } else if (!given.set.empty()) {
    call.method = "POST";
    call.body = render_json(Object{{"set", given.set}});
  }
  const net::Response response = TRY(net::fetch(call));
  const Value answer = TRY(parse_json(response.body));
  if (response.status != 200) {
    const Value message = answer.member("error").member("message");
    return fail(Code::invalid, message.is(Kind::text) ? message.text() : response.body);
  }
  const Value now = answer.member("now"), kind = answer.member("kind");
  if (!now.is(Kind::text) || !kind.is(Kind::text)) {
    return fail(Code::invalid, "that is not a Mayfly server");
  }
  return now.text() + " (" + kind.text() + ")";
}

}  // namespace

std::function<int()> add_clock(CLI::App& verb) {
  auto given = std::make_shared<Given>();
  verb.add_option("--url", given->url, "The server's native address.")->capture_default_str();
  verb.add_option("--key", given->key, "A key of the server, where it asks for one.")
      ->envname("MAYFLY_KEY");
  CLI::App* advance = verb.add_subcommand("advance", "Move a virtual clock forward.");
  advance->add_option("SPAN", given->advance, "Seconds, or 15m, 24h, 60d.")->required();
  CLI::App* set = verb.add_subcommand("set", "Move a virtual clock to an instant.");
  set->add_option("TIME", given->set, "An RFC 3339 time.")->required();
  return [given] {
    const auto told = move_clock(*given);
    if (!told) {
      std::fprintf(stderr, "mayfly: %s\n", told.error().message.c_str());
      return 1;
    }
    std::printf("%s\n", told->c_str());
    return 0;
  };
}

}  // namespace mayfly::app
