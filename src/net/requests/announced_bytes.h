// The length of a request's body, by its head.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>

#include "net/message.h"

namespace mayfly::net {

// Empty if the head has no length: the body comes in chunks.
inline std::optional<std::size_t> content_length_of(const Request& request) {
  const std::string* text = request.header("content-length");
  std::size_t bytes = 0;
  if (text == nullptr) return std::nullopt;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), bytes);
  if (read.ec != std::errc()) return std::nullopt;
  return bytes;
}

}  // namespace mayfly::net
