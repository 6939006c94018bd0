#include "dialect/cosmos/ranges/key_range.h"

#include <algorithm>

#include "base/check.h"
#include "dialect/cosmos/limits.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

constexpr std::int64_t units_of_one_range_max = 10'000;
constexpr std::int64_t units_per_range = 6'000;

// A range with its bounds in the hash space.
struct RangePart {
  KeyRange range;
  std::uint64_t from = 0;
  std::uint64_t to = key_positions;
  std::size_t pieces = 1;  // that the next split divides it into
};

// Assigns each further piece to the first part with the widest pieces.
void assign_pieces(std::vector<RangePart>& parts, std::size_t count) {
  const auto is_narrower = [](const RangePart& a, const RangePart& b) {
    return (a.to - a.from) / a.pieces < (b.to - b.from) / b.pieces;
  };
  for (std::size_t left = count - parts.size(); left > 0; --left) {
    ++std::max_element(parts.begin(), parts.end(), is_narrower)->pieces;
  }
}

// Whether the part gets new ids. The initial part has no id yet, so it is divided even into one
// piece.
bool is_divided(const RangePart& part) {
  return part.pieces > 1 || part.range.id.empty();
}

RangePart piece_of(const RangePart& parent, std::size_t i, KeyHashVersion version) {
  const std::uint64_t width = (parent.to - parent.from) / parent.pieces;
  RangePart piece;
  piece.from = parent.from + width * i;
  piece.to = i + 1 == parent.pieces ? parent.to : piece.from + width;
  piece.range.epks.min = key_hash_at(version, piece.from);
  piece.range.epks.max = key_hash_at(version, piece.to);
  piece.range.parents = parent.range.parents;
  if (!parent.range.id.empty()) piece.range.parents.push_back(parent.range.id);
  return piece;
}

std::vector<RangePart> divided(const std::vector<RangePart>& parts, KeyHashVersion version,
                               std::size_t& next) {
  std::vector<RangePart> after;
  for (const RangePart& part : parts) {
    if (!is_divided(part)) {
      after.push_back(part);
      continue;
    }
    for (std::size_t i = 0; i < part.pieces; ++i) {
      after.push_back(piece_of(part, i, version));
      after.back().range.number = next;
      after.back().range.id = std::to_string(next++);
    }
  }
  return after;
}

}  // namespace

std::size_t ranges_for(std::int64_t units) {
  if (units <= units_of_one_range_max) return 1;
  const std::int64_t ranges = 1 + (units - 1) / units_per_range;
  return static_cast<std::size_t>(
      std::min<std::int64_t>(ranges, static_cast<std::int64_t>(limits::key_ranges_max)));
}

KeyRanges::KeyRanges() : KeyRanges({1}, KeyHash::v2) {}

KeyRanges::KeyRanges(RangeCounts counts, KeyHash hash) : counts_(std::move(counts)) {
  CHECK(!counts_.empty());
  std::vector<RangePart> parts(1);
  std::size_t next = 0;
  for (const std::size_t count : counts_) {
    CHECK(count >= parts.size());
    assign_pieces(parts, count);
    for (const RangePart& part : parts) {
      if (is_divided(part) && !part.range.id.empty()) former_.push_back(part.range);
    }
    parts = divided(parts, version_of(hash), next);
  }
  for (RangePart& part : parts) current_.push_back(std::move(part.range));
}

const KeyRange* KeyRanges::find(std::string_view id) const {
  const auto found = std::find_if(current_.begin(), current_.end(),
                                  [id](const KeyRange& range) { return range.id == id; });
  return found == current_.end() ? nullptr : &*found;
}

const KeyRange& KeyRanges::of_epk(std::string_view epk) const {
  for (const KeyRange& range : current_) {
    if (epk < range.epks.max) return range;
  }
  return current_.back();
}

const KeyRange* KeyRanges::around(const EpkRange& epks) const {
  const KeyRange& range = of_epk(epks.min);
  const bool is_inside = epks.max < range.epks.max ||
                         (epks.max == range.epks.max && !epks.is_max_inclusive) ||
                         &range == &current_.back();
  return is_inside ? &range : nullptr;
}

std::vector<EpkRange> KeyRanges::ancestors_of(const KeyRange& range) const {
  std::vector<EpkRange> ancestors;
  for (auto id = range.parents.rbegin(); id != range.parents.rend(); ++id) {
    const auto found = std::find_if(former_.begin(), former_.end(),
                                    [&](const KeyRange& former) { return former.id == *id; });
    if (found != former_.end()) ancestors.push_back(found->epks);
  }
  return ancestors;
}

std::string render_counts(const RangeCounts& counts) {
  Array numbers;
  for (const std::size_t count : counts) numbers.emplace_back(static_cast<std::int64_t>(count));
  return render_json(Value(std::move(numbers)));
}

Result<RangeCounts> parse_counts(std::string_view text) {
  const Value numbers = TRY(parse_json(text));
  const auto wrong = [] { return fail(Code::corrupt, "the numbers of key ranges are damaged"); };
  if (!numbers.is(Kind::array) || numbers.array().empty()) return wrong();
  RangeCounts counts;
  for (const Value& number : numbers.array()) {
    const std::int64_t count = number.is(Kind::integer) ? number.integer() : 0;
    const std::int64_t least = counts.empty() ? 1 : static_cast<std::int64_t>(counts.back()) + 1;
    if (count < least || count > static_cast<std::int64_t>(limits::key_ranges_max)) return wrong();
    counts.push_back(static_cast<std::size_t>(count));
  }
  return counts;
}

}  // namespace mayfly::cosmos
