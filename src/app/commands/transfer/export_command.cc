// `mayfly export`: writes a collection's documents as lines of JSON, page by page; or a database of
// the Fauna API as the files of a Fauna export.
//
// If the collection keeps its history for long enough, all pages show the instant at which the
// export begins. Otherwise each page shows its own instant, so writes in between may appear.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/fauna/api.h"
#include "app/commands/fauna/export.h"
#include "app/commands/remote.h"
#include "app/commands/span_text.h"
#include "app/commands/transfer/document_line.h"
#include "app/commands/transfer/output.h"
#include "app/commands/transfer/progress.h"
#include "base/limits.h"
#include "value/json/json.h"

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
  FaunaExport fauna = {.remote = {.key = "secret", .api = {"Fauna", "8443"}}};
};

// The instant that all pages show, as the server writes it; nullopt if they cannot share one.
Result<std::optional<std::string>> pin(const ExportArguments& arguments,
                                       const std::string& base_path) {
  const Value collection = TRY(call_api(arguments.remote, {.path = base_path}));
  if (!arguments.as_of.empty()) return arguments.as_of;
  const Value kept = collection.member("keep_history_for");
  const bool is_long = kept.is(Kind::text) ||
                       (kept.is(Kind::integer) && kept.integer() >= limits::export_pin_seconds_min);
  if (!is_long) return std::nullopt;
  const Value clock = TRY(call_api(arguments.remote, {.path = "/v1/clock"}));
  const Value now = clock.member("now");
  if (!now.is(Kind::text)) return fail(Code::internal, "that is not a Mayfly server");
  return now.text();
}

Result<std::uint64_t> count(const ExportArguments& arguments, const std::string& base_path,
                            const std::optional<std::string>& as_of) {
  std::string query;
  if (!arguments.filter.empty()) query += "&filter=" + escaped(arguments.filter);
  if (as_of) query += "&as_of=" + escaped(*as_of);
  if (!query.empty()) query.front() = '?';
  const Value answer = TRY(call_api(arguments.remote, {.path = base_path + "/count" + query}));
  const Value count = answer.member("count");
  return count.is(Kind::integer) ? static_cast<std::uint64_t>(count.integer()) : 0;
}

struct Exported {
  std::uint64_t documents = 0;
  std::optional<std::string> as_of;
};

Result<Exported> run_export(const ExportArguments& arguments) {
  const std::string base_path = collection_path(arguments.database, arguments.collection);
  Exported done;
  done.as_of = TRY(pin(arguments, base_path));
  Output output = TRY(Output::open(arguments.output));
  ProgressBar progress(stderr, std::nullopt);
  // The count is optional: without it the progress line shows no percentage.
  if (progress.is_shown()) {
    if (const auto whole = count(arguments, base_path, done.as_of)) progress.set_whole(*whole);
  }
  Object query{{"limit", Value(static_cast<std::int64_t>(limits::page_rows_max))},
               {"lifetime", Value(true)}};
  if (!arguments.filter.empty()) query.append("filter", Value(arguments.filter));
  if (done.as_of) query.append("as_of", Value(*done.as_of));
  const auto following = arguments.follows ? Following::as_following : Following::with_its_end;
  for (bool more = true; more;) {
    const Value page =
        TRY(call_api(arguments.remote,
                     {.method = "POST", .path = base_path + "/query", .body = render_json(query)}));
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

// Runs the Fauna export with the flags that both exports share.
int run_fauna_export(ExportArguments& arguments, bool has_url) {
  FaunaExport& fauna = arguments.fauna;
  fauna.remote = fauna_remote(arguments.remote, fauna.remote, has_url);
  fauna.database = arguments.database;
  return export_from_fauna(fauna);
}

void add_fauna_export(CLI::App& verb, FaunaExport& fauna, const std::vector<CLI::Option*>& others) {
  CLI::Option* folder =
      verb.add_option("--fauna", fauna.folder,
                      "Export a database of the Fauna API to an empty or new folder: its schema "
                      "as FSL and its documents, as `mayfly import --fauna` takes them. --url is "
                      "then that of the Fauna API, http://127.0.0.1:8443 by default, and "
                      "--database a path, as app or app/staging; without it the secret says which.")
          ->type_name("DIR");
  for (CLI::Option* other : others) folder->excludes(other);
  add_secret(verb, fauna.remote.key);
}

int run_native_export(const ExportArguments& arguments) {
  const auto done = run_export(arguments);
  if (!done) return print_error(done.error());
  std::fprintf(stderr, "%llu documents exported%s\n",
               static_cast<unsigned long long>(done->documents),
               done->as_of ? (" as of " + *done->as_of).c_str() : "");
  return 0;
}

}  // namespace

std::function<int()> add_export(CLI::App& verb) {
  auto arguments = std::make_shared<ExportArguments>();
  add_remote(verb, arguments->remote);
  verb.add_option("--database", arguments->database, "The database.");
  CLI::Option* collection =
      verb.add_option("--collection", arguments->collection, "The collection.");
  CLI::Option* filter = verb.add_option("--filter", arguments->filter,
                                        "A condition, for example: age >= 3 and not "
                                        "exists(gone)");
  CLI::Option* as_of = verb.add_option("--as-of", arguments->as_of,
                                       "Export the collection as it was at this RFC 3339 time.")
                           ->type_name("TIME")
                           ->check(check_time, "");
  CLI::Option* output =
      verb.add_option("--output", arguments->output, "The file to write; - for standard output.")
          ->type_name("FILE")
          ->capture_default_str();
  CLI::Option* follows = verb.add_flag("--inherit", arguments->follows,
                                       "Keep lifetimes relative: write \"inherit\" or \"after\" "
                                       "instead of the current expires_at.");
  add_fauna_export(verb, arguments->fauna, {collection, filter, as_of, output, follows});
  return [arguments, &verb] {
    if (verb.count("--fauna") != 0) return run_fauna_export(*arguments, verb.count("--url") != 0);
    for (const char* flag : {"--database", "--collection"}) {
      if (verb.count(flag) == 0) throw CLI::RequiredError(flag);
    }
    return run_native_export(*arguments);
  };
}

}  // namespace mayfly::app
