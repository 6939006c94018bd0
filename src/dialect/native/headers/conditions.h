// ETags and the conditions with them (RFC 9110): If-Match and If-None-Match.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/rows/document.h"
#include "net/message.h"

namespace mayfly::native {

// The entity tag of a version, without its quotes: 16 hexadecimal digits.
std::string etag_of(const Version& version);

// The tags of one header.
struct Tags {
  bool is_any = false;  // "*"
  std::vector<std::string> texts = {};

  bool match(const Document& document) const;
};

struct Conditions {
  std::optional<Tags> if_match;
  std::optional<Tags> if_none_match;

  bool any() const { return if_match || if_none_match; }
};

// Tags may be without quotes, as in bodies of answers. A weak tag (W/) never matches in If-Match.
// Fails with invalid, naming the header.
Result<Conditions> read_conditions(const net::Request& request);

// The tags of an If-Match that is not in a header. Fails with invalid, naming `shown`.
Result<Tags> parse_match(std::string_view text, std::string_view shown);

// For a write. Fails with not_found if there is If-Match but no document (an expired one does not
// exist), and with stale if a condition does not hold.
Result<void> check_conditions(const Conditions& conditions, const std::optional<Document>& current,
                              std::string_view id);

Error no_such_document(std::string_view id);

}  // namespace mayfly::native
