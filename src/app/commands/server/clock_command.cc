// `mayfly clock`: shows a server's time, moves a virtual clock, and frees a data directory from the
// kind of clock that it was used with.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/remote.h"
#include "app/commands/span_text.h"
#include "app/server/data.h"
#include "db/clock/clock_floor.h"
#include "db/clock/clock_limits.h"
#include "store/open.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::app {
namespace {

struct ClockArguments {
  Remote remote;
  std::string advance;
  std::string set;
  std::string released;  // a data directory
};

Result<std::string> move_clock(const ClockArguments& arguments) {
  ApiRequest request{.path = "/v1/clock"};
  if (!arguments.advance.empty()) {
    request.method = "POST";
    auto seconds = TRY(parse_span(arguments.advance));
    request.body = render_json(Object{{"advance_seconds", std::move(seconds)}});
  } else if (!arguments.set.empty()) {
    request.method = "POST";
    request.body = render_json(Object{{"set", arguments.set}});
  }
  const Value answer = TRY(call_api(arguments.remote, request));
  const Value now = answer.member("now"), kind = answer.member("kind");
  if (!now.is(Kind::text) || !kind.is(Kind::text)) {
    return fail(Code::invalid, "that is not a Mayfly server");
  }
  return now.text() + " (" + kind.text() + ")";
}

Result<std::string> release_directory(const std::string& data) {
  std::error_code error;
  if (!std::filesystem::exists(data + "/MAYFLY", error)) {
    return fail(Code::invalid, data + " is no data directory", "data");
  }
  keep_files_private();
  const auto store = TRY(store::open({.data = data}));
  const ClockRecord note = TRY(read_clock_record(*store));
  TRY(release_clock(*store));
  std::string said = data + " takes the kind of clock of its next start; its time is " +
                     render_rfc3339(note.floor, Fraction::micros);
  const Span ahead = note.floor - SystemClock().now();
  if (ahead > limits::clock_ahead_warned) {
    constexpr std::int64_t seconds_per_day = 86'400;
    const std::int64_t seconds = ahead.whole_seconds();
    said += ", and under the machine's clock it stands still for " + std::to_string(seconds) +
            " seconds";
    if (seconds >= seconds_per_day) {
      said += " (" + std::to_string(seconds / seconds_per_day) + " days)";
    }
  }
  return said;
}

}  // namespace

std::function<int()> add_clock(CLI::App& verb) {
  auto arguments = std::make_shared<ClockArguments>();
  add_remote(verb, arguments->remote);
  CLI::App* advance = verb.add_subcommand("advance", "Move a virtual clock forward.");
  advance->fallthrough();
  advance->add_option("SPAN", arguments->advance, "Seconds, or 15m, 24h, 60d.")
      ->required()
      ->check(check_span, "");
  CLI::App* set = verb.add_subcommand("set", "Move a virtual clock to an instant.");
  set->fallthrough();
  set->add_option("TIME", arguments->set, "An RFC 3339 time.")->required()->check(check_time, "");
  CLI::App* release_verb = verb.add_subcommand(
      "release",
      "Allow the next start to choose the kind of clock of a data directory. No server "
      "may run on it.");
  release_verb->add_option("--data", arguments->released, "The data directory.")
      ->type_name("DIR")
      ->required();
  return [arguments] {
    const bool releases = !arguments->released.empty();
    const auto text = releases ? release_directory(arguments->released) : move_clock(*arguments);
    if (!text) return print_error(text.error());
    std::printf("%s\n", text->c_str());
    return 0;
  };
}

}  // namespace mayfly::app
