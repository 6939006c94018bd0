// `mayfly repair`: makes a damaged data directory usable again by leaving out the damaged parts, or
// makes the next start count the documents again.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/remote.h"
#include "app/server/data.h"
#include "base/service/kill_point.h"
#include "db/catalog/catalog.h"
#include "db/repair.h"
#include "db/rows/format.h"
#include "db/rows/keys.h"
#include "db/rows/records.h"
#include "store/durable_files.h"
#include "store/open.h"
#include "store/repair.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::app {
namespace {

constexpr int exit_damaged = 4;  // damaged, and nothing was repaired

struct RepairArguments {
  std::string data;
  bool accepts_loss = false;
  bool recounts = false;
};

using Names = std::map<CollectionId, std::string>;

Names names_in(const store::Damage& damage) {
  Names names;
  for (const auto& [key, row] : damage.asked) {
    if (!key.starts_with(keys::all_collections())) continue;
    if (const auto collection = decode_collection(row)) names[collection->id] = collection->name;
  }
  return names;
}

constexpr const char* list_of_collections = "the list of collections";

std::string name_of(keys::Table table) {
  switch (table) {
    case keys::Table::meta: return list_of_collections;
    case keys::Table::head: return "documents";
    case keys::Table::history: return "history";
    case keys::Table::trash: return "trash";
    case keys::Table::index: return "index entries";
    case keys::Table::past: return "former index entries";
    case keys::Table::queue: return "scheduled expirations";
    case keys::Table::feed:
    case keys::Table::logged_ends: return "events";
    case keys::Table::hold: return "holds";
    case keys::Table::purge: return "records of purges";
    case keys::Table::ledger: return "counts of documents";
  }
  return list_of_collections;
}

// Describes the location of a key: "documents of sessions from \"s1\"".
std::string place_of(const Bytes& key, const Names& names) {
  if (key.empty()) return "the first row of the data";
  const std::string table = name_of(static_cast<keys::Table>(key[0]));
  const auto id = keys::collection_of(key);
  if (table == list_of_collections || !id) return list_of_collections;
  const auto name = names.find(*id);
  std::string text =
      table + " of " + (name != names.end() ? name->second : "collection " + std::to_string(*id));
  if (key[0] != 'd') return text;
  const auto document = keys::decode_document_key(keys::behind_collection(key));
  return document ? text + " at " + render_json(Value(document->id)) : text;
}

std::string time_of(store::Version version) {
  return render_rfc3339(records::to_instant(version), Fraction::micros);
}

std::string describe_table(const store::DamagedTable& table, const Names& names) {
  const std::string first = place_of(table.first, names), last = place_of(table.last, names);
  return fmt::format(
      "{} is damaged ({}; {} bytes{}): what cannot be read of its rows is lost; they lie {}\n",
      table.file, table.why, table.bytes,
      table.rows == 0 ? "" : fmt::format(", {} rows", table.rows),
      first == last ? "in " + first : fmt::format("between {} and {}", first, last));
}

std::string describe_damage(const store::Damage& damage) {
  std::string text;
  if (!damage.interrupted.empty()) {
    text += "a repair was interrupted: it starts again with the directory as it was, from " +
            damage.interrupted + "\n";
  }
  for (const std::string& file : damage.replaceable) {
    text += file + ": it can be written again; nothing is lost\n";
  }
  if (damage.is_incomplete) {
    text += "repair can find other damage only after it has written CURRENT\n";
  }
  if (damage.log) {
    const std::string file = damage.log->file;
    text +=
        fmt::format("{}: all commits after {} are lost; commits up to {} had been acknowledged\n",
                    damage.log->is_missing ? "the log (*.log) is missing"
                                           : file + " is broken, cut short or missing",
                    time_of(damage.log->leads_to), time_of(damage.log->promised));
  }
  const Names names = names_in(damage);
  for (const store::DamagedTable& table : damage.tables) text += describe_table(table, names);
  if (!damage.tables.empty()) {
    text +=
        "where a lost row was newer than a remaining one, the older one shows: documents may be "
        "older than before, and removed ones may be back\n";
  }
  return text;
}

std::string describe_damage(const store::RepairResult& repaired, const store::Damage& damage) {
  std::string text;
  if (!damage.tables.empty()) {
    text += fmt::format("{} rows of damaged tables were saved; {} rows may be outdated\n",
                        repaired.saved, repaired.uncertain);
  }
  return text + "the directory as it was is kept in " + repaired.kept_in + "\n";
}

Result<std::string> repair_rest(const std::string& data) {
  const RepairSummary mended = TRY(mend(TRY(store::open_under_repair({.data = data}))));
  std::string text = fmt::format("{} collections are there; {} indexes were filled again\n",
                                 mended.collections, mended.indexes);
  for (const std::string& index : mended.dropped_indexes) {
    text += "an index was dropped: " + index + "\n";
  }
  return text;
}

// Repairs once; gives the text to print.
Result<std::string> repair_found(const RepairArguments& arguments, const store::Damage& damage) {
  if (!damage.interrupted.empty()) {
    TRY(store::undo_repair(arguments.data));
    return describe_damage(damage);
  }
  const store::RepairResult repaired = TRY(store::repair(arguments.data, damage));
  std::string report_text = describe_damage(damage) + describe_damage(repaired, damage);
  if (!damage.tables.empty()) report_text += TRY(repair_rest(arguments.data));
  const std::string report = repaired.kept_in + "/" + store::report_name;
  if (!store::write_durably(report, report_text) || !store::make_names_durable(repaired.kept_in)) {
    return fail(Code::internal, "writing " + report);
  }
  TRY(store::end_repair(arguments.data));
  return report_text;
}

// Checks the format before anything is changed, if its row can be read.
Result<void> check_format(const store::Damage& damage) {
  for (const auto& [key, row] : damage.asked) {
    if (key == keys::format()) TRY(decode_format(row));
  }
  return {};
}

// Called for a directory without damage.
Result<void> recount_documents(const std::string& data) {
  const std::size_t collections = TRY(recount(TRY(store::open({.data = data}))));
  std::printf("the next start counts the documents of %zu collections again\n", collections);
  return {};
}

Result<int> run_repair(const RepairArguments& arguments) {
  TRY(arm_kill_point(std::getenv("MAYFLY_KILL_AT")));
  // Damage that hides more damage is repaired first; afterwards the directory is checked again.
  constexpr int rounds_max = 4;
  for (int round = 0; round < rounds_max; ++round) {
    const store::Damage damage =
        TRY(store::examine(arguments.data, {keys::format(), keys::all_collections()}));
    TRY(check_format(damage));
    if (damage.is_none()) {
      std::printf("%s: %s\n", arguments.data.c_str(),
                  round == 0 ? "nothing is damaged" : "it can be opened now");
      if (arguments.recounts) TRY(recount_documents(arguments.data));
      return 0;
    }
    if (!arguments.accepts_loss) {
      std::printf("%snothing was done; restore a backup, or run this again with --accept-loss\n",
                  describe_damage(damage).c_str());
      return exit_damaged;
    }
    std::fputs(TRY(repair_found(arguments, damage)).c_str(), stdout);
  }
  return fail(Code::corrupt, arguments.data + " is still damaged; restore it from a backup");
}

}  // namespace

std::function<int()> add_repair(CLI::App& verb) {
  auto arguments = std::make_shared<RepairArguments>();
  verb.add_option("--data", arguments->data, "The data directory. No server may run on it.")
      ->type_name("DIR")
      ->required();
  verb.add_flag("--accept-loss", arguments->accepts_loss,
                "Repair the directory. Without this the command only reports what is damaged and "
                "what would be lost.");
  verb.add_flag("--recount", arguments->recounts,
                "Count the documents of all collections again at the next start, if nothing is "
                "damaged or the damage was repaired.");
  return [arguments] {
    keep_files_private();
    const auto done = run_repair(*arguments);
    return done ? *done : print_error(done.error());
  };
}

}  // namespace mayfly::app
