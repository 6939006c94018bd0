// Queries about geo-points: geo_distance, geo_distance_range, geo_bounding_box, geo_polygon. A
// geo-point is {"lat": 1, "lon": 2}, "1, 2", or in GeoJSON's order, longitude first, [2, 1] or
// {"coordinates": [2, 1]}; a document may have a list of them.
#include <algorithm>

#include "dialect/kuzzle/koncorde/places.h"
#include "dialect/kuzzle/search/dsl/lowering.h"
#include "value/json/json.h"

namespace mayfly::kuzzle::search {
namespace {

using expr::call;
using expr::literal;
using koncorde::Coordinates;
using koncorde::Point;

std::optional<Point> point_of(const Value& value) {
  const Value ring = value.member("coordinates");
  const Value& pair = ring.is_missing() ? value : ring;
  if (!pair.is(Kind::array)) return koncorde::point_of(pair);
  if (pair.array().size() < 2) return std::nullopt;
  return koncorde::point_of(Array{pair.array()[1], pair.array()[0]});
}

// --- the place of a document ---

ExprPtr at(Slot slot, std::vector<Step> steps) {
  return expr::field(Field{Part::body, Path{std::move(steps)}}, slot);
}

// One of the two coordinates of the slot's value.
ExprPtr coordinate(Slot slot, bool is_lat) {
  const std::size_t in_list = is_lat ? 1 : 0;
  const std::int64_t in_text = is_lat ? 0 : 1;
  ExprPtr parts = call("split", {expr::slot(slot), literal(",")});
  ExprPtr written = call("text_to_number", {call("array_at", {parts, literal(in_text)})});
  ExprPtr listed = expr::if_missing(at(slot, {in_list}), at(slot, {"coordinates", in_list}));
  ExprPtr named = call("to_number", {at(slot, {is_lat ? "lat" : "lon"})});
  return expr::if_missing(std::move(named),
                          expr::if_missing(std::move(listed), std::move(written)));
}

using IsThere = std::function<ExprPtr(const Coordinates&)>;

// Whether the geo-point, or one of a list of them, satisfies the condition.
ExprPtr any_place(Lowering& lowering, const std::string& name, const IsThere& is_there) {
  const ExprPtr whole = lowering.whole(name);
  const ExprPtr first = call("array_at", {whole, literal(0)});
  const ExprPtr is_list = false_if_missing(
      expr::all_of({call("is_array", {whole}), expr::negation(call("is_number", {first}))}));
  const ExprPtr places = call("when", {is_list, whole, call("array", {whole})});
  const Slot slot = lowering.new_slot();
  const Coordinates coordinates{coordinate(slot, true), coordinate(slot, false)};
  return false_if_missing(expr::each(expr::Each::Mode::any, slot, places, is_there(coordinates)));
}

// --- bodies ---

constexpr std::string_view options[] = {"distance",
                                        "from",
                                        "to",
                                        "unit",
                                        "distance_type",
                                        "optimize_bbox",
                                        "validation_method",
                                        "ignore_unmapped",
                                        "ignore_malformed",
                                        "coerce",
                                        "type",
                                        "boost",
                                        "_name"};

Result<const Object::Member*> field_of(const Value& body, const std::string& place) {
  if (!body.is(Kind::object)) return wrong(place, "is an object");
  const Object::Member* named = nullptr;
  for (const Object::Member& member : body.object()) {
    if (std::find(std::begin(options), std::end(options), member.first) != std::end(options)) {
      continue;
    }
    if (named != nullptr) return wrong(place, "names one field");
    named = &member;
  }
  if (named == nullptr) return wrong(place, "names no field");
  return named;
}

// In metres; a number without a unit has that of the query.
Result<double> distance_of(const Value& body, const std::string& name, const std::string& place) {
  const Value unit = body.member("unit");
  Value distance = body.member(name);
  if (distance.is_number() && unit.is(Kind::text)) {
    distance = Value(render_json(distance) + unit.text());
  }
  const auto metres = koncorde::metres_of(distance);
  if (!metres || !(*metres >= 0)) return wrong(place + "." + name, "is a distance such as 12km");
  return *metres;
}

Result<IsThere> at_distance(const Value& body, const Value& centre, bool is_range,
                            const std::string& place, const std::string& field_place) {
  const auto point = point_of(centre);
  if (!point) return wrong(field_place, "is a place");
  const double from = is_range ? TRY(distance_of(body, "from", place)) : 0;
  const double to = TRY(distance_of(body, is_range ? "to" : "distance", place));
  return IsThere([centre = *point, from, to](const Coordinates& spot) {
    return koncorde::is_at_distance(spot, centre, from, to);
  });
}

// Two opposite corners, or the four sides.
Result<IsThere> in_box(const Value& box, const std::string& place) {
  std::optional<Point> top_left = point_of(box.member("top_left"));
  std::optional<Point> bottom_right = point_of(box.member("bottom_right"));
  const auto top_right = point_of(box.member("top_right"));
  const auto bottom_left = point_of(box.member("bottom_left"));
  if (top_right && bottom_left) {
    top_left = Point{top_right->lat, bottom_left->lon};
    bottom_right = Point{bottom_left->lat, top_right->lon};
  }
  if (!top_left && !bottom_right) {
    top_left = point_of(Object{{"lat", box.member("top")}, {"lon", box.member("left")}});
    bottom_right = point_of(Object{{"lat", box.member("bottom")}, {"lon", box.member("right")}});
  }
  if (!top_left || !bottom_right) {
    return wrong(place, "has two corners such as top_left and bottom_right, or four sides");
  }
  return IsThere([from = *top_left, to = *bottom_right](const Coordinates& spot) {
    return koncorde::is_in_box(spot, from, to);
  });
}

Result<IsThere> in_polygon(const Value& body, const std::string& place) {
  const auto corners = TRY(koncorde::corners_of(body.member("points"), place, point_of));
  return IsThere(
      [corners](const Coordinates& spot) { return koncorde::is_in_polygon(spot, corners); });
}

}  // namespace

Result<Clause> lower_geo(Lowering& lowering, std::string_view name, const Value& body,
                         const std::string& place) {
  const bool is_range = name == "geo_distance_range";
  const bool is_distance = is_range || name == "geo_distance";
  if (!is_distance && name != "geo_bounding_box" && name != "geo_polygon") return Clause();
  const Object::Member* field = TRY(field_of(body, place));
  const std::string field_place = place + "." + field->first;
  const double boost = TRY(boost_of(body, place));
  IsThere is_there;
  if (is_distance) {
    is_there = TRY(at_distance(body, field->second, is_range, place, field_place));
  } else if (name == "geo_polygon") {
    is_there = TRY(in_polygon(field->second, field_place + ".points"));
  } else {
    is_there = TRY(in_box(field->second, field_place));
  }
  return Clause{any_place(lowering, field->first, is_there), boosted(constant(1), boost)};
}

}  // namespace mayfly::kuzzle::search
