// `mayfly trash`: lists removed documents, restores them, or erases them for good.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/lifetimes/new_end.h"
#include "app/commands/listing.h"

namespace mayfly::app {
namespace {

std::string trash_path(const NewEnd& arguments) {
  return arguments.target.path() + "/trash";
}

// Fails with unsupported if the collection keeps no trash. Held documents stay in the trash of a
// collection that no longer keeps one, so this matters only if nothing is found.
Result<void> check_keeps_trash(const TargetCollection& target) {
  const Value collection = TRY(call_api(target.remote, {.path = target.path()}));
  const Value kept_for = collection.member("keep_trash_for");
  if (!kept_for.is_number() || kept_for.number() != 0) return {};
  return fail(Code::unsupported, "the collection keeps no trash; keep_trash_for turns it on");
}

int list_trash(const NewEnd& arguments) {
  Listing listing(arguments.format, {"ID", "REMOVED AT", "EXPIRES AT", "HOW"});
  bool is_empty = true;
  auto read = for_each_row(
      arguments.target.remote, trash_path(arguments), "documents",
      [&](const Value& row) -> Result<void> {
        is_empty = false;
        const bool has_expired = !row.member("expired").is_missing();
        listing.add(row,
                    {cell_text(row.member("id")), cell_text(row.member("removed_at")),
                     cell_text(row.member("expires_at")), has_expired ? "expired" : "removed"});
        return {};
      });
  if (read && is_empty) read = check_keeps_trash(arguments.target);
  if (!read) return print_error(read.error());
  listing.finish();
  return 0;
}

struct Emptied {
  std::uint64_t erased = 0;
  std::uint64_t held = 0;
};

Result<Emptied> erase_all(const NewEnd& arguments) {
  Emptied emptied;
  TRY(for_each_row(arguments.target.remote, trash_path(arguments), "documents",
                   [&](const Value& row) -> Result<void> {
                     const auto erased = call_api(
                         arguments.target.remote,
                         {.method = "DELETE",
                          .path = trash_path(arguments) + "/" + escaped(row.member("id").text()),
                          .author = arguments.author});
                     if (erased) {
                       ++emptied.erased;
                     } else if (erased.error().code == Code::forbidden) {
                       ++emptied.held;
                     } else if (erased.error().code != Code::not_found) {
                       return tl::unexpected(erased.error());
                     }
                     return {};
                   }));
  return emptied;
}

int restore(const NewEnd& arguments) {
  return request_new_end(arguments, "trash", "restore", [&arguments](const Error& error) {
    if (error.code != Code::not_found) return error;
    const auto keeps = check_keeps_trash(arguments.target);
    return keeps || keeps.error().code != Code::unsupported ? error : keeps.error();
  });
}

int empty(const NewEnd& arguments) {
  const auto emptied = erase_all(arguments);
  if (!emptied) return print_error(emptied.error());
  std::printf("%llu erased, %llu held\n", static_cast<unsigned long long>(emptied->erased),
              static_cast<unsigned long long>(emptied->held));
  return 0;
}

}  // namespace

std::function<int()> add_trash(CLI::App& verb) {
  auto arguments = std::make_shared<NewEnd>();
  verb.require_subcommand(1);
  CLI::App* shows =
      verb.add_subcommand("list", "List the removed documents, the oldest removal first.");
  add_collection_flags(*shows, arguments->target);
  add_format(*shows, arguments->format);
  CLI::App* restores = verb.add_subcommand("restore", "Restore removed documents.");
  add_new_end(*restores, *arguments);
  CLI::App* empties = verb.add_subcommand("empty",
                                          "Erase all documents in the trash for good, "
                                          "without confirmation.");
  add_collection_flags(*empties, arguments->target);
  add_author(*empties, arguments->author);
  return [arguments, shows, restores] {
    if (shows->parsed()) return list_trash(*arguments);
    return restores->parsed() ? restore(*arguments) : empty(*arguments);
  };
}

}  // namespace mayfly::app
