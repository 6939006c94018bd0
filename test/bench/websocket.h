// WebSockets on a Wire, as clients of the Kuzzle API speak them: text messages without extensions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bench/load.h"
#include "bench/wire.h"

namespace mayfly::bench {

// Stops the program if the server refuses.
void open_websocket(Wire& wire);
std::string websocket_frame(std::string_view message);
// Takes a complete message from the front of `in`; nullopt: there is none yet. Stops the program if
// the server closes the connection.
std::optional<std::string> take_message(std::string& in);
// Sends a message and gives the next message as its answer.
std::string ask(Wire& wire, std::string_view message);

// The status in an answer of the Kuzzle API.
int kuzzle_status(std::string_view answer);
// Requests are frames; statuses are those of the Kuzzle API.
extern const Speech over_websocket;

}  // namespace mayfly::bench
