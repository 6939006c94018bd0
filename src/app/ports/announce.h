// What the server prints once it listens: the address of each port, its access rules, the text that
// a client needs to connect, the data directory and the clock. For users on standard output, for
// programs as lines of the log. It contains no secret of the user.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "app/ports/ports.h"
#include "base/service/settings.h"

namespace mayfly::app {

struct Announcement {
  const Settings& settings;
  const Ports& ports;
  const std::vector<std::uint16_t>& numbers;  // port numbers, as the system assigned them
  bool is_virtual = false;                    // whether the clock is virtual
};

// First a line for each port, `NAME URL [URL]`; then the rest, indented.
std::string render_announcement(const Announcement& announcement);

// Prints it, and logs the same facts.
void announce(const Announcement& announcement, std::FILE* out);

}  // namespace mayfly::app
