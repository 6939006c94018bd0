// `mayfly forecast` and `mayfly preview`: what dies, and what would die under another default.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/listing.h"
#include "app/commands/place.h"
#include "app/commands/span_text.h"
#include "value/json/json.h"

namespace mayfly::app {
namespace {

struct ForecastArguments {
  Place place;
  std::string slot = "hour";
  int slots = 24;
  std::string default_ttl;
  Format format = Format::table;
};

// "about 120000" is the store's estimate.
std::string deaths(const Value& deaths) {
  const Value exact = deaths.member("exact");
  const bool is_exact = exact.is(Kind::boolean) && exact.boolean();
  return (is_exact ? "" : "about ") + shown(deaths.member("documents"));
}

Result<void> forecast(const ForecastArguments& given) {
  const Value told =
      TRY(ask(given.place.remote, {.path = given.place.path() + "/forecast?slot=" + given.slot +
                                           "&slots=" + std::to_string(given.slots)}));
  const Value slots = told.member("slots");
  if (!slots.is(Kind::array)) return fail(Code::internal, "that is not a Mayfly server");
  Listing listing(given.format, {"UNTIL", "EXPIRE"});
  for (const Value& slot : slots.array()) {
    listing.add(slot, {shown(slot.member("until")), deaths(slot.member("deaths"))});
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

Result<void> preview(const ForecastArguments& given) {
  const auto default_ttl = TRY(parse_default(given.default_ttl));
  const Object body{{"default_ttl", default_ttl}};
  const Value told = TRY(
      ask(given.place.remote,
          {.method = "POST", .path = given.place.path() + "/preview", .body = render_json(body)}));
  if (given.format == Format::json) {
    std::printf("%s\n", render_json(told).c_str());
    return {};
  }
  Listing listing(given.format, {"EXPIRED", "DOCUMENTS"});
  listing.add(told, {"at once", deaths(told.member("at_once"))});
  listing.add(told, {"within a day", deaths(told.member("within_a_day"))});
  listing.add(told, {"within a week", deaths(told.member("within_a_week"))});
  listing.finish();
  return {};
}

}  // namespace

std::function<int()> add_forecast(CLI::App& verb) {
  auto given = std::make_shared<ForecastArguments>();
  add_place(verb, given->place);
  verb.add_option("--slot", given->slot, "The length of a slot: hour or day.")
      ->check(CLI::IsMember({"hour", "day"}))
      ->capture_default_str();
  verb.add_option("--slots", given->slots, "The number of slots.")->capture_default_str();
  add_format(verb, given->format);
  return [given] {
    const auto done = forecast(*given);
    return done ? 0 : tell(done.error());
  };
}

std::function<int()> add_preview(CLI::App& verb) {
  auto given = std::make_shared<ForecastArguments>();
  add_place(verb, given->place);
  verb.add_option("DEFAULT", given->default_ttl,
                  "The default to try: seconds, or 15m, 24h, 60d; never; none.")
      ->required()
      ->check(check_default, "");
  add_format(verb, given->format);
  return [given] {
    const auto done = preview(*given);
    return done ? 0 : tell(done.error());
  };
}

}  // namespace mayfly::app
