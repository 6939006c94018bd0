// `mayfly purges`: shows the records of purges, writes them to a file, and verifies them.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/lifetimes/purge_chain.h"
#include "app/commands/listing.h"
#include "app/commands/target_collection.h"
#include "app/commands/transfer/line_reader.h"
#include "app/commands/transfer/output.h"
#include "base/limits.h"
#include "value/json/json.h"

namespace mayfly::app {
namespace {

struct PurgesArguments {
  TargetCollection target;
  std::uint64_t after = 0;
  std::string file = "-";
  Format format = Format::table;
};

// Passes every record after `after` to `consume`, once it is checked against the chain.
Result<void> read_records(const PurgesArguments& arguments, PurgeChain& chain,
                          const RowConsumer& consume) {
  std::uint64_t after = arguments.after;
  for (bool more = true; more;) {
    const Value page =
        TRY(call_api(arguments.target.remote, {.path = arguments.target.path() + "/purges?limit=" +
                                                       std::to_string(limits::page_rows_default) +
                                                       "&after=" + std::to_string(after)}));
    const Value records = page.member("records"), has_more = page.member("has_more");
    if (!records.is(Kind::array) || !has_more.is(Kind::boolean)) {
      return fail(Code::internal, "that is not a Mayfly server");
    }
    for (const Value& record : records.array()) {
      TRY(chain.add(render_json(record)));
      TRY(consume(record));
    }
    more = has_more.boolean() && !records.array().empty();
    after = chain.last();
  }
  return {};
}

std::string describe_chain(const PurgeChain& chain) {
  if (chain.records() == 0) return "no records";
  return std::to_string(chain.records()) + " records of " + std::to_string(chain.versions()) +
         " versions, unbroken from " + std::to_string(chain.first()) + " to " +
         std::to_string(chain.last());
}

int finish(const Result<void>& done, const PurgeChain& chain) {
  if (done || chain.records() != 0) std::fprintf(stderr, "%s\n", describe_chain(chain).c_str());
  return done ? 0 : print_error(done.error());
}

// "2 expired, 1 removed"
std::string ways(const Value& record) {
  std::map<std::string, int> counts;
  const Value versions = record.member("versions");
  for (const Value& version : versions.array()) ++counts[cell_text(version.member("how"))];
  std::string text;
  for (const auto& [how, count] : counts) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + how;
  }
  return text;
}

int list_purges(const PurgesArguments& arguments) {
  Listing listing(arguments.format, {"NUMBER", "PURGED AT", "VERSIONS", "HASH"});
  PurgeChain chain;
  const auto done = read_records(arguments, chain, [&](const Value& record) -> Result<void> {
    listing.add(record, {cell_text(record.member("number")), cell_text(record.member("purged_at")),
                         ways(record), cell_text(record.member("hash"))});
    return {};
  });
  if (done || chain.records() != 0) listing.finish();
  return finish(done, chain);
}

Result<void> write_records(const PurgesArguments& arguments, PurgeChain& chain) {
  Output output = TRY(Output::open(arguments.file));
  TRY(read_records(arguments, chain, [&output](const Value& record) {
    return output.write(render_json(record) + "\n");
  }));
  return output.finish();
}

Result<void> verify_file(const std::string& path, PurgeChain& chain) {
  // Open until the process ends.
  const int file = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(Code::invalid, "reading " + path + ": " + std::strerror(errno));
  LineReader reader(file, limits::client_answer_bytes_max);
  std::string line;
  for (;;) {
    const LineReader::Item item = TRY(reader.next(line));
    if (item == LineReader::Item::end) return {};
    if (item == LineReader::Item::long_line) {
      return fail(Code::corrupt, "line " + std::to_string(reader.number()) + " is no record");
    }
    TRY(chain.add(line));
  }
}

void add_after(CLI::App& verb, PurgesArguments& arguments) {
  verb.add_option("--after", arguments.after, "Only records after the record with this number.")
      ->type_name("NUMBER");
}

}  // namespace

std::function<int()> add_purges(CLI::App& verb) {
  auto arguments = std::make_shared<PurgesArguments>();
  verb.require_subcommand(1);
  CLI::App* shows = verb.add_subcommand("list", "Show the records, and verify their chain.");
  add_collection_flags(*shows, arguments->target);
  add_after(*shows, *arguments);
  add_format(*shows, arguments->format);
  CLI::App* writes =
      verb.add_subcommand("export", "Write the records as lines of JSON, and verify their chain.");
  add_collection_flags(*writes, arguments->target);
  add_after(*writes, *arguments);
  writes->add_option("--output", arguments->file, "The file to write; - for standard output.")
      ->type_name("FILE")
      ->capture_default_str();
  CLI::App* verifies = verb.add_subcommand("verify", "Verify exported records, without a server.");
  verifies->add_option("FILE", arguments->file, "The file to read; - for standard input.")
      ->capture_default_str();
  return [arguments, shows, writes] {
    if (shows->parsed()) return list_purges(*arguments);
    PurgeChain chain;
    const auto done =
        writes->parsed() ? write_records(*arguments, chain) : verify_file(arguments->file, chain);
    return finish(done, chain);
  };
}

}  // namespace mayfly::app
