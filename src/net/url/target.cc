#include "net/url/target.h"

#include <algorithm>
#include <string_view>

#include "net/router.h"
#include "net/utf8.h"

namespace mayfly::net {
namespace {

// Whether it needs no decoding: it has neither escapes nor bytes that may not be UTF-8.
bool is_plain(std::string_view path) {
  return path.find('%') == std::string_view::npos && is_ascii(path);
}

bool is_word_of(std::string_view lower, std::string_view text) {
  return std::equal(lower.begin(), lower.end(), text.begin(), text.end(),
                    [](char x, char y) { return x == (y >= 'A' && y <= 'Z' ? y | 0x20 : y); });
}

}  // namespace

Result<void> read_target(Request& request) {
  std::string_view rest = request.target;
  if (!rest.starts_with('/')) {
    if (rest == "*" && request.method == "OPTIONS") {
      request.path = "/";
      return {};
    }
    const std::size_t scheme = rest.find("://");
    if (scheme != 4 && scheme != 5) return fail(Code::invalid, "the target is not a path");
    if (!is_word_of("https", rest.substr(0, 5)) && !is_word_of("http:", rest.substr(0, 5))) {
      return fail(Code::invalid, "the target's scheme is not http");
    }
    rest.remove_prefix(scheme + 3);
    rest.remove_prefix(std::min(rest.find_first_of("/?"), rest.size()));
  }
  if (rest.find('#') != std::string_view::npos) {
    return fail(Code::invalid, "a target has no fragment");
  }
  const std::string_view path = rest.substr(0, rest.find('?'));
  if (!is_plain(path)) TRY(decode_percent(path));
  request.path = path.empty() ? std::string_view("/") : path;
  if (path.size() < rest.size())
    request.parameters = TRY(decode_form(rest.substr(path.size() + 1)));
  return {};
}

}  // namespace mayfly::net
