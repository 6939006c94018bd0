// Files that are on disk when the call returns. Each says whether it was done; errno says why not.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::store {

// Who may read a file that is made.
enum class Readers { all, owner };

// Writes the whole file. One that is there already keeps its readers.
bool write_durably(const std::string& path, std::string_view text, Readers readers = Readers::all);
// Copies a file to a name that is not taken yet.
bool copy_durably(const std::string& from, const std::string& to);
// The names of the files in a directory, as files were made, renamed and removed there.
bool make_names_durable(const std::string& directory);

}  // namespace mayfly::store
