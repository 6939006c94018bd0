// Listing: rows that a command prints, as a table for a person or as lines of JSON for a program.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/commands/remote.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly::app {

enum class Format { table, json };
// The flag --json.
void add_format(CLI::App& verb, Format& format);

// One cell: a text as it is, unless it would break the line; anything else as JSON; nothing as "-".
std::string shown(const Value& value);

class Listing {
 public:
  Listing(Format format, std::vector<std::string> titles);

  // `row` is what JSON tells; `cells` stand below the titles, one for each.
  void add(const Value& row, std::vector<std::string> cells);
  // Prints a table once it is whole, so that its columns are even. A line of JSON is out already.
  void finish();

 private:
  const Format format_;
  std::vector<std::vector<std::string>> rows_;  // the titles first
};

// Asks for a list page by page; `name` is the member that holds the rows. `take` is given each row
// in turn.
using Take = std::function<Result<void>(const Value& row)>;
Result<void> for_each_row(const Remote& remote, const std::string& path, const std::string& name,
                          const Take& take);

}  // namespace mayfly::app
