// `mayfly clock`: asks a server for its time, and moves a virtual clock.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/remote.h"
#include "app/commands/span_text.h"
#include "value/json.h"
#include "value/rfc3339.h"

namespace mayfly::app {
namespace {

struct ClockArguments {
  Remote remote;
  std::string advance;
  std::string set;
};

Result<std::string> move_clock(const ClockArguments& given) {
  Ask what{.path = "/v1/clock"};
  if (!given.advance.empty()) {
    what.method = "POST";
    auto seconds = TRY(parse_span(given.advance));
    what.body = render_json(Object{{"advance_seconds", std::move(seconds)}});
  } else if (!given.set.empty()) {
    what.method = "POST";
    what.body = render_json(Object{{"set", given.set}});
  }
  const Value answer = TRY(ask(given.remote, what));
  const Value now = answer.member("now"), kind = answer.member("kind");
  if (!now.is(Kind::text) || !kind.is(Kind::text)) {
    return fail(Code::invalid, "that is not a Mayfly server");
  }
  return now.text() + " (" + kind.text() + ")";
}

}  // namespace

std::function<int()> add_clock(CLI::App& verb) {
  auto given = std::make_shared<ClockArguments>();
  add_remote(verb, given->remote);
  CLI::App* advance = verb.add_subcommand("advance", "Move a virtual clock forward.");
  advance->add_option("SPAN", given->advance, "Seconds, or 15m, 24h, 60d.")->required();
  CLI::App* set = verb.add_subcommand("set", "Move a virtual clock to an instant.");
  set->add_option("TIME", given->set, "An RFC 3339 time.")->required();
  return [given] {
    const auto told = move_clock(*given);
    if (!told) return tell(told.error());
    std::printf("%s\n", told->c_str());
    return 0;
  };
}

}  // namespace mayfly::app
