// `mayfly trash`: what was removed; brings it back, or gives it up for good.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/lifetimes/new_end.h"
#include "app/commands/listing.h"

namespace mayfly::app {
namespace {

std::string trash_path(const NewEnd& given) {
  return given.place.path() + "/trash";
}

// Documents that are held stay in the trash of a collection that no longer keeps one: only where
// nothing is found it counts. Fails with unsupported.
Result<void> check_keeps_trash(const Place& place) {
  const Value collection = TRY(ask(place.remote, {.path = place.path()}));
  const Value kept_for = collection.member("keep_trash_for");
  if (!kept_for.is_number() || kept_for.number() != 0) return {};
  return fail(Code::unsupported, "the collection keeps no trash; keep_trash_for turns it on");
}

int list_trash(const NewEnd& given) {
  Listing listing(given.format, {"ID", "REMOVED AT", "EXPIRES AT", "HOW"});
  bool is_empty = true;
  auto read = for_each_row(
      given.place.remote, trash_path(given), "documents", [&](const Value& row) -> Result<void> {
        is_empty = false;
        const bool has_expired = !row.member("expired").is_missing();
        listing.add(row, {shown(row.member("id")), shown(row.member("removed_at")),
                          shown(row.member("expires_at")), has_expired ? "expired" : "removed"});
        return {};
      });
  if (read && is_empty) read = check_keeps_trash(given.place);
  if (!read) return tell(read.error());
  listing.finish();
  return 0;
}

struct Emptied {
  std::uint64_t erased = 0;
  std::uint64_t held = 0;
};

Result<Emptied> erase_all(const NewEnd& given) {
  Emptied emptied;
  TRY(for_each_row(
      given.place.remote, trash_path(given), "documents", [&](const Value& row) -> Result<void> {
        const auto erased = ask(given.place.remote,
                                {.method = "DELETE",
                                 .path = trash_path(given) + "/" + escaped(row.member("id").text()),
                                 .author = given.author});
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

int restore(const NewEnd& given) {
  return ask_for_new_end(given, "trash", "restore", [&given](const Error& error) {
    if (error.code != Code::not_found) return error;
    const auto keeps = check_keeps_trash(given.place);
    return keeps || keeps.error().code != Code::unsupported ? error : keeps.error();
  });
}

int empty(const NewEnd& given) {
  const auto emptied = erase_all(given);
  if (!emptied) return tell(emptied.error());
  std::printf("%llu erased, %llu held\n", static_cast<unsigned long long>(emptied->erased),
              static_cast<unsigned long long>(emptied->held));
  return 0;
}

}  // namespace

std::function<int()> add_trash(CLI::App& verb) {
  auto given = std::make_shared<NewEnd>();
  verb.require_subcommand(1);
  CLI::App* shows =
      verb.add_subcommand("list", "List the removed documents, the oldest removal first.");
  add_place(*shows, given->place);
  add_format(*shows, given->format);
  CLI::App* restores = verb.add_subcommand("restore", "Restore removed documents.");
  add_new_end(*restores, *given);
  CLI::App* empties = verb.add_subcommand("empty",
                                          "Erase all documents in the trash for good, "
                                          "without confirmation.");
  add_place(*empties, given->place);
  add_author(*empties, given->author);
  return [given, shows, restores] {
    if (shows->parsed()) return list_trash(*given);
    return restores->parsed() ? restore(*given) : empty(*given);
  };
}

}  // namespace mayfly::app
