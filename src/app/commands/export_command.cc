// `mayfly export`: a collection's documents as lines of JSON, page by page.
//
// Where the collection keeps its history for long enough, all pages are of the instant at which the
// export begins; elsewhere each is of its own moment, and what is written meanwhile may show.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/document_line.h"
#include "app/commands/output.h"
#include "app/commands/progress.h"
#include "app/commands/remote.h"
#include "app/commands/span_text.h"
#include "base/limits.h"
#include "value/json.h"

namespace mayfly::app {
namespace {

struct ExportArguments {
  Remote remote;
  std::string database;
  std::string collection;
  std::string filter;
  std::string as_of;
  std::string output = "-";
  bool follows = false;
};

// The instant that all pages are of, as the server writes it; nothing where they cannot be.
Result<std::optional<std::string>> pin(const ExportArguments& given, const std::string& place) {
  const Value collection = TRY(ask(given.remote, {.path = place}));
  if (!given.as_of.empty()) return given.as_of;
  const Value kept = collection.member("keep_history_for");
  const bool is_long = kept.is(Kind::text) ||
                       (kept.is(Kind::integer) && kept.integer() >= limits::export_pin_seconds_min);
  if (!is_long) return std::nullopt;
  const Value clock = TRY(ask(given.remote, {.path = "/v1/clock"}));
  const Value now = clock.member("now");
  if (!now.is(Kind::text)) return fail(Code::internal, "that is not a Mayfly server");
  return now.text();
}

Result<std::uint64_t> count(const ExportArguments& given, const std::string& place,
                            const std::optional<std::string>& as_of) {
  std::string query;
  if (!given.filter.empty()) query += "&filter=" + escaped(given.filter);
  if (as_of) query += "&as_of=" + escaped(*as_of);
  if (!query.empty()) query.front() = '?';
  const Value answer = TRY(ask(given.remote, {.path = place + "/count" + query}));
  const Value count = answer.member("count");
  return count.is(Kind::integer) ? static_cast<std::uint64_t>(count.integer()) : 0;
}

struct Exported {
  std::uint64_t documents = 0;
  std::optional<std::string> as_of;
};

Result<Exported> run_export(const ExportArguments& given) {
  const std::string place = collection_path(given.database, given.collection);
  Exported done;
  done.as_of = TRY(pin(given, place));
  Output output = TRY(Output::open(given.output));
  Progress progress(stderr, std::nullopt);
  // The count is a matter of convenience: where there is none, the line shows no share.
  if (progress.is_shown()) {
    if (const auto whole = count(given, place, done.as_of)) progress.set_whole(*whole);
  }
  Object query{{"limit", Value(static_cast<std::int64_t>(limits::page_rows_max))},
               {"lifetime", Value(true)}};
  if (!given.filter.empty()) query.append("filter", Value(given.filter));
  if (done.as_of) query.append("as_of", Value(*done.as_of));
  const auto following = given.follows ? Following::as_following : Following::with_its_end;
  for (bool more = true; more;) {
    const Value page = TRY(ask(
        given.remote, {.method = "POST", .path = place + "/query", .body = render_json(query)}));
    const Value documents = page.member("documents"), next = page.member("next");
    if (!documents.is(Kind::array)) return fail(Code::internal, "that is not a Mayfly server");
    std::string lines;
    for (const Value& document : documents.array()) {
      TRY(append_line(document, following, lines));
      ++done.documents;
    }
    TRY(output.write(lines));
    more = next.is(Kind::text);
    if (more) query.set("page", next);
    progress.draw(done.documents, std::to_string(done.documents) + " documents");
  }
  TRY(output.finish());
  return done;
}

}  // namespace

std::function<int()> add_export(CLI::App& verb) {
  auto given = std::make_shared<ExportArguments>();
  add_remote(verb, given->remote);
  verb.add_option("--database", given->database, "The database.")->required();
  verb.add_option("--collection", given->collection, "The collection.")->required();
  verb.add_option("--filter", given->filter,
                  "A condition, for example: age >= 3 and not "
                  "exists(gone)");
  verb.add_option("--as-of", given->as_of, "Export the collection as it was at this RFC 3339 time.")
      ->type_name("TIME")
      ->check(check_time, "");
  verb.add_option("--output", given->output, "The file to write; - for standard output.")
      ->type_name("FILE")
      ->capture_default_str();
  verb.add_flag("--inherit", given->follows,
                "Keep lifetimes relative: write \"inherit\" or \"after\" instead of the current "
                "expires_at.");
  return [given] {
    const auto done = run_export(*given);
    if (!done) return tell(done.error());
    std::fprintf(stderr, "%llu documents exported%s\n",
                 static_cast<unsigned long long>(done->documents),
                 done->as_of ? (" as of " + *done->as_of).c_str() : "");
    return 0;
  };
}

}  // namespace mayfly::app
