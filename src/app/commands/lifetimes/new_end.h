// NewEnd: documents that are to end at another time, for the commands that ask for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/commands/listing.h"
#include "app/commands/place.h"

namespace mayfly::app {

struct NewEnd {
  Place place;
  LifetimeGiven lifetime;
  std::string author;
  std::vector<std::string> ids;
  Format format = Format::table;
};
// The flags of a place, a lifetime, an author and a format, and the documents.
void add_new_end(CLI::App& verb, NewEnd& given);

// A refusal in words that help more.
using Explain = std::function<Error(const Error&)>;

// Asks `{collection}/{list}/{id}/{action}` for each of them, and shows when it ends. The exit
// status; one that fails does not keep the others from being asked for. Without `explain` refusals
// are shown as they are.
int ask_for_new_end(const NewEnd& given, const std::string& list, const std::string& action,
                    const Explain& explain = {});

}  // namespace mayfly::app
