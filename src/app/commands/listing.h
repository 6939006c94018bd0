// Listing: rows that a command prints, as a table for users or as lines of JSON for programs.
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

// The text of one cell: a text unchanged, unless it would break the line; "-" for a missing value;
// anything else as JSON.
std::string cell_text(const Value& value);

class Listing {
 public:
  Listing(Format format, std::vector<std::string> titles);

  // `row` is printed as JSON; `cells` are the columns of the table, one for each title.
  void add(const Value& row, std::vector<std::string> cells);
  // Prints the table, with aligned columns. Lines of JSON are printed by add() already.
  void finish();

 private:
  const Format format_;
  std::vector<std::vector<std::string>> rows_;  // the first row has the titles
};

// Requests a list page by page; `name` is the member that holds the rows. Calls `consume` for each
// row.
using RowConsumer = std::function<Result<void>(const Value& row)>;
Result<void> for_each_row(const Remote& remote, const std::string& path, const std::string& name,
                          const RowConsumer& consume);

}  // namespace mayfly::app
