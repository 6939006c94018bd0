// What the server says once it listens: where each port is, what guards it, what a client pastes,
// where the data lies and which clock counts. For people on standard output, for machines as lines
// of the log. No secret of the user's is in it.
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
  const std::vector<std::uint16_t>& numbers;  // of the ports, as the server got them
  bool is_virtual = false;                    // the clock
};

// First a line for each port, `NAME URL [URL]`; then the rest, indented.
std::string render_announcement(const Announcement& announcement);

// Prints it, and logs the same facts.
void announce(const Announcement& announcement, std::FILE* out);

}  // namespace mayfly::app
