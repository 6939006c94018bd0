// `mayfly forecast` and `mayfly preview`: what expires, and what would expire under another
// default.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/listing.h"
#include "app/commands/span_text.h"
#include "app/commands/target_collection.h"
#include "value/json/json.h"

namespace mayfly::app {
namespace {

struct ForecastArguments {
  TargetCollection target;
  std::string slot = "hour";
  int slots = 24;
  std::string default_ttl;
  Format format = Format::table;
};

// "about 120000" is the store's estimate.
std::string deaths(const Value& deaths) {
  const Value exact = deaths.member("exact");
  const bool is_exact = exact.is(Kind::boolean) && exact.boolean();
  return (is_exact ? "" : "about ") + cell_text(deaths.member("documents"));
}

Result<void> forecast(const ForecastArguments& arguments) {
  const Value answer =
      TRY(call_api(arguments.target.remote,
                   {.path = arguments.target.path() + "/forecast?slot=" + arguments.slot +
                            "&slots=" + std::to_string(arguments.slots)}));
  const Value slots = answer.member("slots");
  if (!slots.is(Kind::array)) return fail(Code::internal, "that is not a Mayfly server");
  Listing listing(arguments.format, {"UNTIL", "EXPIRE"});
  for (const Value& slot : slots.array()) {
    listing.add(slot, {cell_text(slot.member("until")), deaths(slot.member("deaths"))});
  }
  listing.finish();
  return {};
}

Result<Value> parse_default(const std::string& text) {
  if (text == "none") return Value(Null{});
  if (text == "never") return Value(text);
  return Value(TRY(parse_whole_span(text)));
}

std::string check_default(const std::string& text) {
  return text == "none" || text == "never" ? "" : check_whole_span(text);
}

Result<void> preview(const ForecastArguments& arguments) {
  const auto default_ttl = TRY(parse_default(arguments.default_ttl));
  const Object body{{"default_ttl", default_ttl}};
  const Value answer = TRY(call_api(
      arguments.target.remote,
      {.method = "POST", .path = arguments.target.path() + "/preview", .body = render_json(body)}));
  if (arguments.format == Format::json) {
    std::printf("%s\n", render_json(answer).c_str());
    return {};
  }
  Listing listing(arguments.format, {"EXPIRED", "DOCUMENTS"});
  listing.add(answer, {"at once", deaths(answer.member("at_once"))});
  listing.add(answer, {"within a day", deaths(answer.member("within_a_day"))});
  listing.add(answer, {"within a week", deaths(answer.member("within_a_week"))});
  listing.finish();
  return {};
}

}  // namespace

std::function<int()> add_forecast(CLI::App& verb) {
  auto arguments = std::make_shared<ForecastArguments>();
  add_collection_flags(verb, arguments->target);
  verb.add_option("--slot", arguments->slot, "The length of a slot: hour or day.")
      ->check(CLI::IsMember({"hour", "day"}))
      ->capture_default_str();
  verb.add_option("--slots", arguments->slots, "The number of slots.")->capture_default_str();
  add_format(verb, arguments->format);
  return [arguments] {
    const auto done = forecast(*arguments);
    return done ? 0 : print_error(done.error());
  };
}

std::function<int()> add_preview(CLI::App& verb) {
  auto arguments = std::make_shared<ForecastArguments>();
  add_collection_flags(verb, arguments->target);
  verb.add_option("DEFAULT", arguments->default_ttl,
                  "The default to try: seconds, or 15m, 24h, 60d; never; none.")
      ->required()
      ->check(check_default, "");
  add_format(verb, arguments->format);
  return [arguments] {
    const auto done = preview(*arguments);
    return done ? 0 : print_error(done.error());
  };
}

}  // namespace mayfly::app
