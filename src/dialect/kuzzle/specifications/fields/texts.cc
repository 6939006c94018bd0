#include "dialect/kuzzle/specifications/fields/texts.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace mayfly::kuzzle::specifications {
namespace {

constexpr std::size_t local_part_bytes_max = 64;  // of RFC 5321
constexpr std::size_t host_bytes_max = 254;
constexpr std::size_t label_bytes_max = 63;
constexpr std::size_t url_bytes_max = 2'083;  // what browsers take
constexpr std::string_view atom_marks = "!#$%&'*+-/=?^_`{|}~.";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}
bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_label(std::string_view label) {
  return !label.empty() && label.size() <= label_bytes_max && label.front() != '-' &&
         label.back() != '-' && std::all_of(label.begin(), label.end(), [](char c) {
           return is_letter(c) || is_ascii_digit(c) || c == '-';
         });
}

// Has at least two labels, and the last is not a number.
bool is_host_name(std::string_view name) {
  if (name.size() > host_bytes_max) return false;
  const std::size_t last_dot = name.rfind('.');
  if (last_dot == std::string_view::npos) return false;
  const std::string_view top = name.substr(last_dot + 1);
  if (top.size() < 2 ||
      !std::all_of(top.begin(), top.end(),
                   [](char c) { return is_letter(c) || c == '-' || is_ascii_digit(c); }) ||
      !is_letter(top.front())) {
    return false;
  }
  while (true) {
    const std::size_t dot = name.find('.');
    if (!is_label(name.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

bool is_atom(std::string_view text) {
  const bool has_stray_dot =
      text.starts_with('.') || text.ends_with('.') || text.find("..") != std::string_view::npos;
  return !text.empty() && !has_stray_dot && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_ascii_digit(c) || atom_marks.find(c) != std::string_view::npos;
  });
}

bool is_port(std::string_view text) {
  int port = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), port);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && port > 0 &&
         port <= 65'535;
}

}  // namespace

bool is_ip_address(std::string_view text) {
  const std::string whole(text);
  in6_addr address = {};
  return whole.find('\0') == std::string::npos &&
         (inet_pton(AF_INET, whole.c_str(), &address) == 1 ||
          inet_pton(AF_INET6, whole.c_str(), &address) == 1);
}

bool is_email(std::string_view text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos || at == 0 || at > local_part_bytes_max) return false;
  return is_atom(text.substr(0, at)) && is_host_name(text.substr(at + 1));
}

bool is_url(std::string_view text) {
  if (text.empty() || text.size() > url_bytes_max) return false;
  if (text.find_first_of(" \t\r\n<>") != std::string_view::npos) return false;
  if (const std::size_t colon = text.find("://"); colon != std::string_view::npos) {
    const std::string_view scheme = text.substr(0, colon);
    if (scheme != "http" && scheme != "https" && scheme != "ftp") return false;
    text.remove_prefix(colon + 3);
  }
  std::string_view host = text.substr(0, text.find_first_of("/?#"));
  if (const std::size_t at = host.rfind('@'); at != std::string_view::npos) {
    host.remove_prefix(at + 1);
  }
  std::string_view behind;
  const bool is_address = host.starts_with('[');
  if (is_address) {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return false;
    behind = host.substr(end + 1);
    host = host.substr(1, end - 1);
  } else if (const std::size_t colon = host.find(':'); colon != std::string_view::npos) {
    behind = host.substr(colon);
    host = host.substr(0, colon);
  }
  if (!behind.empty() && (behind.front() != ':' || !is_port(behind.substr(1)))) return false;
  return is_ip_address(host) || (!is_address && is_host_name(host));
}

}  // namespace mayfly::kuzzle::specifications
