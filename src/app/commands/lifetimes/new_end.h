// NewEnd: the arguments of commands that change when documents end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/commands/listing.h"
#include "app/commands/target_collection.h"

namespace mayfly::app {

struct NewEnd {
  TargetCollection target;
  LifetimeFlags lifetime;
  std::string author;
  std::vector<std::string> ids;
  Format format = Format::table;
};
// The flags of a place, a lifetime, an author and a format, and the documents.
void add_new_end(CLI::App& verb, NewEnd& arguments);

// Turns a refusal into a more helpful message.
using Explain = std::function<Error(const Error&)>;

// Requests `{collection}/{list}/{id}/{action}` for each document, and prints when it ends. Gives
// the exit status. A failure does not stop the requests for the other documents. Without `explain`
// refusals are printed unchanged.
int request_new_end(const NewEnd& arguments, const std::string& list, const std::string& action,
                    const Explain& explain = {});

}  // namespace mayfly::app
