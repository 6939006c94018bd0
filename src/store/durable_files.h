// Writes files so that their contents are on disk when the call returns. The name of a new file is
// on disk only after make_names_durable(). Nothing here is atomic: after a loss of power during the
// call a file may have a part of its contents. Each function returns whether it succeeded; errno
// has the reason if not. Threads: any.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::store {

// The users that may read a new file.
enum class Readers { all, owner };

// Writes the whole file. An existing file keeps its permissions.
bool write_durably(const std::string& path, std::string_view text, Readers readers = Readers::all);
// Copies a file to a name that does not exist yet.
bool copy_durably(const std::string& from, const std::string& to);
// Creates the directory and its missing parents, names included.
bool make_directories_durably(const std::string& directory);
// Makes creations, renames and removals of files in a directory durable.
bool make_names_durable(const std::string& directory);

}  // namespace mayfly::store
