// `mayfly import`: reads documents from lines of JSON, as `mayfly export` writes them; or a
// database from the files of a Fauna export.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/fauna/api.h"
#include "app/commands/fauna/import/import.h"
#include "app/commands/remote.h"
#include "app/commands/transfer/importer.h"
#include "app/commands/transfer/line_reader.h"
#include "app/commands/transfer/progress.h"
#include "base/limits.h"

namespace mayfly::app {
namespace {

constexpr int done_with_lines_left_out = 3;

struct ImportArguments {
  Remote remote;
  std::string database;
  std::string collection;
  std::string input = "-";
  bool goes_on = false;
  bool creates = false;
  FaunaImport fauna = {.remote = {.key = "secret", .api = {"Fauna", "8443"}}};
};

Result<int> open_input(const std::string& path) {
  if (path == "-") return STDIN_FILENO;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file >= 0) return file;
  return fail(Code::invalid, "reading " + path + ": " + std::strerror(errno));
}

std::optional<std::uint64_t> bytes_of(int file) {
  struct stat facts = {};
  if (::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(facts.st_size);
}

Result<void> create(const ImportArguments& arguments) {
  TRY(call_api(arguments.remote,
               {.method = "PUT", .path = "/v1/databases/" + escaped(arguments.database)}));
  TRY(call_api(
      arguments.remote,
      {.method = "PUT", .path = collection_path(arguments.database, arguments.collection)}));
  return {};
}

// Checks the target before any input is read.
Result<void> prepare(const ImportArguments& arguments, Importer& importer) {
  if (arguments.creates) TRY(create(arguments));
  const ApiRequest request{.path = collection_path(arguments.database, arguments.collection)};
  TRY(call_api(arguments.remote, request).map_error([](Error error) {
    if (error.code == Code::not_found) error.message += "; --create creates it";
    return error;
  }));
  return importer.begin();
}

Result<void> read_all(LineReader& reader, Importer& importer, ProgressBar& progress) {
  std::string line;
  for (;;) {
    const LineReader::Item item = TRY(reader.next(line));
    if (item == LineReader::Item::end) return importer.finish();
    if (item == LineReader::Item::long_line) {
      TRY(importer.add_broken(
          reader.number(),
          {Code::too_large,
           "the line has more than " + std::to_string(limits::import_line_bytes_max) + " bytes"}));
    } else if (!line.empty()) {
      TRY(importer.add(reader.number(), line));
    }
    if (reader.number() % limits::import_batch_operations_max == 0) {
      progress.draw(reader.bytes(), std::to_string(reader.number()) + " lines");
    }
  }
}

void print_counts(const ImportCounts& counts) {
  if (counts.stopped_at != 0) {
    std::printf(
        "%llu created, %llu replaced, %llu already expired; line %llu and what follows it was not "
        "imported\n",
        static_cast<unsigned long long>(counts.created),
        static_cast<unsigned long long>(counts.replaced),
        static_cast<unsigned long long>(counts.dead),
        static_cast<unsigned long long>(counts.stopped_at));
    return;
  }
  std::printf("%llu documents created, %llu replaced, %llu already expired, %llu lines skipped\n",
              static_cast<unsigned long long>(counts.created),
              static_cast<unsigned long long>(counts.replaced),
              static_cast<unsigned long long>(counts.dead),
              static_cast<unsigned long long>(counts.broken));
}

int run_import(const ImportArguments& arguments) {
  // Open until the process ends.
  const auto input = open_input(arguments.input);
  if (!input) return print_error(input.error());
  ProgressBar progress(stderr, bytes_of(*input));
  Importer importer({arguments.remote, arguments.database, arguments.collection},
                    arguments.goes_on ? OnBroken::skip : OnBroken::stop,
                    [&progress](std::uint64_t line, const std::string& reason) {
                      progress.clear();
                      std::fprintf(stderr, "mayfly: line %llu: %s\n",
                                   static_cast<unsigned long long>(line), reason.c_str());
                    });
  LineReader reader(*input, limits::import_line_bytes_max);
  auto done = prepare(arguments, importer);
  if (done) done = read_all(reader, importer, progress);
  if (done) progress.draw(reader.bytes(), std::to_string(reader.number()) + " lines");
  progress.end();
  print_counts(importer.counts());
  if (!done) return print_error(done.error());
  return importer.counts().broken == 0 ? 0 : done_with_lines_left_out;
}

// Runs the Fauna import with the flags that both imports share.
int run_fauna_import(ImportArguments& arguments, bool has_url) {
  FaunaImport& fauna = arguments.fauna;
  fauna.remote = fauna_remote(arguments.remote, fauna.remote, has_url);
  fauna.database = arguments.database;
  fauna.goes_on = arguments.goes_on;
  return import_from_fauna(fauna);
}

void add_fauna(CLI::App& verb, FaunaImport& fauna, const std::vector<CLI::Option*>& others) {
  CLI::Option* files =
      verb.add_option("--fauna", fauna.files,
                      "Import an export of Fauna: a folder with FSL and JSON files, or one file; "
                      "may be repeated. "
                      "--url is then that of the Fauna API, http://127.0.0.1:8443 by default, and "
                      "--database is made where it is missing.")
          ->type_name("DIR")
          ->allow_extra_args(false);
  for (CLI::Option* other : others) files->excludes(other);
  add_secret(verb, fauna.remote.key);
  verb.add_option("--ts-field", fauna.ts_field,
                  "With --fauna: a field of every document that keeps the ts of the export.")
      ->type_name("NAME")
      ->needs(files);
}

}  // namespace

std::function<int()> add_import(CLI::App& verb) {
  auto arguments = std::make_shared<ImportArguments>();
  add_remote(verb, arguments->remote);
  verb.add_option("--database", arguments->database, "The database.");
  CLI::Option* collection =
      verb.add_option("--collection", arguments->collection, "The collection.");
  CLI::Option* file =
      verb.add_option("FILE", arguments->input, "The file to read; - for standard input.")
          ->capture_default_str();
  verb.add_flag("--continue", arguments->goes_on,
                "Report broken lines and skip them, with exit status 3 at the end. Without this "
                "the first broken line ends the import.");
  CLI::Option* create = verb.add_flag("--create", arguments->creates,
                                      "Create the database and collection if they are missing.");
  add_fauna(verb, arguments->fauna, {collection, file, create});
  return [arguments, &verb] {
    if (!arguments->fauna.files.empty()) {
      return run_fauna_import(*arguments, verb.count("--url") != 0);
    }
    for (const char* flag : {"--database", "--collection"}) {
      if (verb.count(flag) == 0) throw CLI::RequiredError(flag);
    }
    return run_import(*arguments);
  };
}

}  // namespace mayfly::app
