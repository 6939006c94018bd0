// Commands on positions. They are members of a sorted set, whose scores are cells (cells.h).
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "dialect/kuzzle/memory/command.h"
#include "dialect/kuzzle/memory/commands/cells.h"

namespace mayfly::kuzzle::memory {
namespace {

constexpr std::uint64_t cells_end = std::uint64_t{1} << 52;

// A score that another command has set is mapped to the nearest cell.
std::uint64_t cell_in(double score) {
  const double last = static_cast<double>(cells_end - 1);
  return static_cast<std::uint64_t>(std::clamp(score, 0.0, last));
}

std::optional<GeoCoordinates> position_in(const SortedSet& set, const std::string& member) {
  const auto found = set.find(member);
  return found == set.end() ? std::nullopt : std::optional(middle_of(cell_in(found->second)));
}

Value coordinates(const GeoCoordinates& position) {
  return Array{render_long(position.longitude), render_long(position.latitude)};
}

Value metres_as(double metres, double metres_per_unit) {
  return fmt::format("{:.4f}", metres / metres_per_unit);
}

Result<double> unit_of(const std::string& name) {
  const auto metres = metres_in(name);
  if (!metres) return refused("ERR unsupported unit provided. please use m, km, ft, mi");
  return *metres;
}

Result<GeoCoordinates> position_of(const std::string& longitude, const std::string& latitude) {
  const auto lon = real_of(longitude);
  const auto lat = real_of(latitude);
  if (!lon || !lat) return not_a_real();
  const GeoCoordinates position{.longitude = *lon, .latitude = *lat};
  if (has_cell(position)) return position;
  return refused(fmt::format("ERR invalid longitude,latitude pair {:.6f},{:.6f}", *lon, *lat));
}

Result<Value> add_positions(Space& space, const Arguments& arguments) {
  if (arguments.items("points").empty()) return wrong_number_of_arguments("geoadd");
  Entry entry = TRY(space.open<SortedSet>(arguments.key()));
  std::int64_t added = 0;
  for (const Value& point : arguments.items("points")) {
    const std::string longitude = TRY(member_text(point, "lon"));
    const std::string latitude = TRY(member_text(point, "lat"));
    const std::uint64_t cell = cell_of(TRY(position_of(longitude, latitude)));
    const bool is_new =
        std::get<SortedSet>(entry.content)
            .insert_or_assign(TRY(member_text(point, "name")), static_cast<double>(cell))
            .second;
    added += is_new ? 1 : 0;
  }
  TRY(space.put(arguments.key(), entry));
  return Value(added);
}

Result<Value> show_positions(Space& space, const Arguments& arguments) {
  const SortedSet set = TRY(space.read<SortedSet>(arguments.key()));
  Array positions;
  for (const std::string& member : arguments.texts("members")) {
    const auto position = position_in(set, member);
    positions.push_back(position ? coordinates(*position) : Value(nullptr));
  }
  return Value(std::move(positions));
}

Result<Value> show_geohashes(Space& space, const Arguments& arguments) {
  const SortedSet set = TRY(space.read<SortedSet>(arguments.key()));
  Array hashes;
  for (const std::string& member : arguments.texts("members")) {
    const auto found = set.find(member);
    const bool is_there = found != set.end();
    hashes.push_back(is_there ? Value(geohash_of(cell_in(found->second))) : Value(nullptr));
  }
  return Value(std::move(hashes));
}

Result<Value> show_distance(Space& space, const Arguments& arguments) {
  const double unit = TRY(unit_of(arguments.text_or("unit", "m")));
  const SortedSet set = TRY(space.read<SortedSet>(arguments.key()));
  const auto a = position_in(set, arguments.text("member1"));
  const auto b = position_in(set, arguments.text("member2"));
  return a && b ? metres_as(distance_between(*a, *b), unit) : Value(nullptr);
}

// --- within a radius ---

enum class Nearest : std::uint8_t { any, first, last };

struct RadiusOptions {
  bool with_coordinates = false;
  bool with_distance = false;
  bool with_cell = false;
  Nearest order = Nearest::any;
  std::optional<std::int64_t> count = {};
};

struct OptionWord {
  std::string_view word;
  bool RadiusOptions::* set;
};
constexpr OptionWord option_words[] = {{"WITHCOORD", &RadiusOptions::with_coordinates},
                                       {"WITHDIST", &RadiusOptions::with_distance},
                                       {"WITHHASH", &RadiusOptions::with_cell}};

Result<RadiusOptions> radius_options(const Arguments& arguments) {
  RadiusOptions options;
  const std::vector<std::string> words = arguments.texts("options");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto* row = std::find_if(std::begin(option_words), std::end(option_words),
                                   [&](const OptionWord& o) { return o.word == words[i]; });
    if (row != std::end(option_words)) {
      options.*row->set = true;
    } else if (words[i] == "ASC" || words[i] == "DESC") {
      options.order = words[i] == "ASC" ? Nearest::first : Nearest::last;
    } else if (words[i] == "COUNT" && i + 1 < words.size()) {
      options.count = integer_of(words[++i]);
      if (!options.count) return not_an_integer();
      if (*options.count <= 0) return refused("ERR COUNT must be > 0");
    } else {
      return syntax_error();
    }
  }
  if (options.count && options.order == Nearest::any) options.order = Nearest::first;
  return options;
}

struct Neighbour {
  Ranked item;
  double metres = 0;
};

std::vector<Neighbour> within(const std::vector<Ranked>& items, const GeoCoordinates& middle,
                              double metres_max) {
  std::vector<Neighbour> found;
  for (const Ranked& item : items) {
    const double metres = distance_between(middle, middle_of(cell_in(item.score)));
    if (metres <= metres_max) found.push_back({item, metres});
  }
  return found;
}

void sort_neighbours(std::vector<Neighbour>& found, const RadiusOptions& options) {
  if (options.order != Nearest::any) {
    std::sort(found.begin(), found.end(), [&](const Neighbour& a, const Neighbour& b) {
      const Neighbour& first = options.order == Nearest::first ? a : b;
      const Neighbour& second = options.order == Nearest::first ? b : a;
      return std::tie(first.metres, first.item.member) <
             std::tie(second.metres, second.item.member);
    });
  }
  if (options.count && static_cast<std::size_t>(*options.count) < found.size()) {
    found.resize(static_cast<std::size_t>(*options.count));
  }
}

// The name alone, or with the data that the options request.
Value show_neighbour(const Neighbour& found, const RadiusOptions& options, double unit) {
  Value name = shown(std::string(found.item.member));
  Array parts{name};
  const std::uint64_t cell = cell_in(found.item.score);
  if (options.with_distance) parts.push_back(metres_as(found.metres, unit));
  if (options.with_cell) parts.emplace_back(static_cast<std::int64_t>(cell));
  if (options.with_coordinates) parts.push_back(coordinates(middle_of(cell)));
  return parts.size() == 1 ? name : Value(std::move(parts));
}

// The members whose cells' middles lie within the radius.
Result<Value> find_around(const SortedSet& set, const GeoCoordinates& middle,
                          const Arguments& arguments) {
  const double unit = TRY(unit_of(arguments.text("unit")));
  const auto distance = real_of(arguments.text("distance"));
  if (!distance) return refused("ERR need numeric radius");
  if (*distance < 0) return refused("ERR radius cannot be negative");
  const RadiusOptions options = TRY(radius_options(arguments));
  const std::vector<Ranked> items = ranked(set);
  std::vector<Neighbour> found = within(items, middle, *distance * unit);
  sort_neighbours(found, options);
  Array answer;
  for (const Neighbour& neighbour : found) {
    answer.push_back(show_neighbour(neighbour, options, unit));
  }
  return Value(std::move(answer));
}

Result<Value> find_around_position(Space& space, const Arguments& arguments) {
  const GeoCoordinates middle = TRY(position_of(arguments.text("lon"), arguments.text("lat")));
  return find_around(TRY(space.read<SortedSet>(arguments.key())), middle, arguments);
}

Result<Value> find_around_member(Space& space, const Arguments& arguments) {
  const SortedSet set = TRY(space.read<SortedSet>(arguments.key()));
  if (set.empty()) return Value(Array());
  const auto middle = position_in(set, arguments.text("member"));
  if (!middle) return refused("ERR could not decode requested zset member");
  return find_around(set, *middle, arguments);
}

constexpr Argument query_members{"members", From::query, Type::texts};
constexpr Argument distance_argument{"distance", From::query, Type::number};
constexpr Argument unit_argument{"unit"};
constexpr Argument radius_words{"options", From::query, Type::words, Need::optional};

// clang-format off: one row a line
constexpr Command position_rows[] = {
    {"geoadd", "POST /ms/_geoadd/:_id", slow, writes, add_positions,
     {{key_argument, {"points", From::body, Type::items}}}},
    {"geopos", "GET /ms/_geopos/:_id", slow, reads, show_positions,
     {{key_argument, query_members}}},
    {"geohash", "GET /ms/_geohash/:_id", slow, reads, show_geohashes,
     {{key_argument, query_members}}},
    {"geodist", "GET /ms/_geodist/:_id/:member1/:member2", slow, reads, show_distance,
     {{key_argument, {"member1"}, {"member2"}, {"unit", From::query, Type::text, Need::optional}}}},
    {"georadius", "GET /ms/_georadius/:_id", slow, reads, find_around_position,
     {{key_argument, {"lon", From::query, Type::number}, {"lat", From::query, Type::number},
     distance_argument, unit_argument, radius_words}}},
    {"georadiusbymember", "GET /ms/_georadiusbymember/:_id", slow, reads, find_around_member,
     {{key_argument, {"member"}, distance_argument, unit_argument, radius_words}}},
};
// clang-format on

}  // namespace

std::span<const Command> position_commands() {
  return position_rows;
}

}  // namespace mayfly::kuzzle::memory
