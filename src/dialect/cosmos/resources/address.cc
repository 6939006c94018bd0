#include "dialect/cosmos/resources/address.h"

#include "dialect/cosmos/errors.h"
#include "net/router.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view removal_words[] = {"operations", "partitionkeydelete"};

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (slash != 0) segments.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return segments;
}

// The error for a path that begins as one of the service's and continues with an unknown word.
Error wrong_path() {
  return bad_request("Request url is invalid.");
}

Result<Address> make_address(const std::vector<std::string>& segments) {
  Address address;
  std::size_t count = segments.size();
  if (count >= 2 && segments[count - 2] == removal_words[0] &&
      segments[count - 1] == removal_words[1]) {
    address.is_partition_removal = true;
    count -= 2;
  }
  for (std::size_t i = 0; i < count; i += 2) {
    const KindRow* row = find_kind(segments[i]);
    if (row == nullptr && i > 0) return tl::unexpected(wrong_path());
    // No such kind is possible there.
    if (row == nullptr || row->owner != address.kind) return tl::unexpected(no_such_resource());
    address.kind = row->kind;
    if (i + 1 < count) {
      address.parts.push_back({row->kind, segments[i + 1]});
    } else {
      address.is_feed = true;
    }
  }
  if (address.is_partition_removal &&
      (address.is_feed || address.kind != ResourceKind::container)) {
    return tl::unexpected(wrong_path());
  }
  return address;
}

}  // namespace

const std::string& Address::name_of(ResourceKind part) const {
  static const std::string none;
  for (const Part& p : parts) {
    if (p.kind == part) return p.name;
  }
  return none;
}

std::string Address::link() const {
  std::string text;
  for (const Part& part : parts) {
    if (!text.empty()) text += '/';
    text += row_of(part.kind).segment;
    text += '/';
    text += part.name;
  }
  return text;
}

Result<Address> parse_address(std::string_view path) {
  std::vector<std::string> segments;
  for (const std::string_view segment : split(path)) {
    segments.push_back(TRY(net::decode_percent(segment)));
  }
  return make_address(segments);
}

Result<Address> parse_link(std::string_view link) {
  std::vector<std::string> segments;
  for (const std::string_view segment : split(link)) segments.emplace_back(segment);
  auto address = make_address(segments);
  if (!address || address->is_partition_removal) return tl::unexpected(no_such_resource());
  return address;
}

}  // namespace mayfly::cosmos
