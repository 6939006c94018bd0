// Tests of distances, areas and relations on the ellipsoid.
#include "value/geo/geo.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/limits.h"
#include "value/json/json.h"

namespace mayfly::geo {
namespace {

ParsedShape parsed_shape(std::string_view json) {
  const Result<Value> value = parse_json(json);
  EXPECT_TRUE(value) << json;
  const Result<ParsedShape> read = read_shape(value ? *value : Value());
  EXPECT_TRUE(read) << json;
  return read ? *read : ParsedShape{};
}

ShapePtr shape(std::string_view type, std::string_view coordinates) {
  const ParsedShape read = parsed_shape(R"({"type":")" + std::string(type) + R"(","coordinates":)" +
                                        std::string(coordinates) + "}");
  EXPECT_EQ(read.reason, "") << type << coordinates;
  return read.shape;
}
ShapePtr point(std::string_view position) {
  return shape("Point", position);
}

constexpr std::string_view square = "[[[0,0],[1,0],[1,1],[0,1],[0,0]]]";

// The first two are published results of another implementation; exact ones differ in the eighth
// digit. A sphere would differ in the third.
TEST(GeoTest, DistancesAreMeasuredOnTheEllipsoid) {
  const ShapePtr here = point("[-122.11758113953535, 47.66901087006131]");
  EXPECT_NEAR(distance(*here, *point("[-122.12826822304672, 47.63980239335718]")),
              3345.269817267368, 1e-3);
  EXPECT_NEAR(distance(*here, *point("[-96.84368664765994, 46.81297794314663]")), 1907438.421299902,
              0.1);
  EXPECT_NEAR(distance(*point("[0,0]"), *point("[180,0]")), 20003931.4586, 1e-3);
  EXPECT_EQ(distance(*here, *here), 0);
}

TEST(GeoTest, TheNearestPointOfALineOrAnAreaCounts) {
  const double degree = distance(*point("[2,0]"), *point("[1,0]"));
  const ShapePtr area = shape("Polygon", square);
  EXPECT_NEAR(distance(*point("[2,0]"), *area), degree, 1e-3);
  EXPECT_NEAR(distance(*area, *point("[2,0]")), degree, 1e-3);
  EXPECT_EQ(distance(*point("[0.5,0.5]"), *area), 0);
  EXPECT_EQ(distance(*area, *area), 0);
  // The nearest point is inside the segment: a meridian, 1 degree of longitude away at the equator.
  const ShapePtr meridian = shape("LineString", "[[3,-10],[3,10]]");
  EXPECT_NEAR(distance(*point("[2,0]"), *meridian), degree, 1e-3);
  EXPECT_NEAR(distance(*area, *meridian), distance(*point("[1,1]"), *meridian), 1);
  const ShapePtr two = shape("MultiLineString", "[[[50,0],[51,0]],[[3,-10],[3,10]]]");
  EXPECT_NEAR(distance(*point("[2,0]"), *two), degree, 1e-3);
}

// Many corners, near and far: the search finds the nearest of all.
TEST(GeoTest, TheNearestOfManyEdgesCounts) {
  const auto circle = [](double longitude, double radius) {
    Array ring;
    for (int i = 0; i <= 720; ++i) {
      const double angle = (i % 720) * 3.14159265358979 / 360;
      ring.push_back(Array{longitude + radius * std::cos(angle), radius * std::sin(angle)});
    }
    const Value whole(Object{{"type", "Polygon"}, {"coordinates", Array{ring}}});
    return read_shape(whole)->shape;
  };
  const double near = distance(*point("[1,0]"), *point("[1.5,0]"));
  EXPECT_NEAR(distance(*circle(0, 1), *circle(2, 0.5)), near, 1e-3);
  const double far = distance(*point("[1,0]"), *point("[29.99,0]"));
  EXPECT_NEAR(distance(*circle(0, 1), *circle(30, 0.01)), far, 1e-3);
  const double across = distance(*point("[0,1]"), *point("[0,5]"));
  EXPECT_NEAR(distance(*point("[0,5]"), *circle(0, 1)), across, 1e-3);
}

TEST(GeoTest, EdgesAlongTheEquatorAndAcrossTheDateLineAreMeasured) {
  const ShapePtr equator = shape("LineString", "[[178,0],[180,0]]");
  const double degree = distance(*point("[0,0]"), *point("[1,0]"));
  EXPECT_NEAR(distance(*point("[-179,0]"), *equator), degree, 1e-3);
  EXPECT_NEAR(distance(*point("[177,0]"), *equator), degree, 1e-3);
  EXPECT_NEAR(distance(*point("[179,1]"), *equator), distance(*point("[0,0]"), *point("[0,1]")),
              1e-3);
  const ShapePtr across = shape("LineString", "[[179,-1],[-179,1]]");
  EXPECT_NEAR(distance(*point("[180,0]"), *across), 0, 1e-3);
  EXPECT_NEAR(distance(*point("[1,0]"), *shape("LineString", "[[29.99,1e-15],[29.99,-8.7e-5]]")),
              distance(*point("[1,0]"), *point("[29.99,0]")), 1e-3);
}

TEST(GeoTest, AreasAreSquareMetres) {
  const ShapePtr area_of_docs =
      shape("Polygon", "[[[31.8,-5],[32,-5],[32,-4.7],[31.8,-4.7],[31.8,-5]]]");
  EXPECT_NEAR(area(*area_of_docs), 735970283.0522614, 10);
  EXPECT_EQ(area(*point("[1,1]")), 0);
  const double whole = area(*shape("Polygon", square));
  const double holed = area(*shape(
      "Polygon",
      "[[[0,0],[1,0],[1,1],[0,1],[0,0]],[[0.4,0.4],[0.4,0.6],[0.6,0.6],[0.6,0.4],[0.4,0.4]]]"));
  EXPECT_NEAR(holed / whole, 0.96, 1e-4);
}

TEST(GeoTest, ARingMayRunEitherWayRound) {
  const ShapePtr clockwise = shape("Polygon", "[[[0,0],[0,1],[1,1],[1,0],[0,0]]]");
  EXPECT_EQ(area(*clockwise), area(*shape("Polygon", square)));
  EXPECT_TRUE(is_within(*point("[0.5,0.5]"), *clockwise));
}

TEST(GeoTest, WithinAndIntersectsHoldForEveryPairOfKinds) {
  const ShapePtr area = shape("Polygon", square);
  const ShapePtr inner = shape("Polygon", "[[[0.2,0.2],[0.8,0.2],[0.8,0.8],[0.2,0.8],[0.2,0.2]]]");
  const ShapePtr far = shape("MultiPolygon", "[[[[10,10],[11,10],[11,11],[10,11],[10,10]]]]");
  const ShapePtr line = shape("LineString", "[[0.2,0.2],[0.8,0.8]]");
  const ShapePtr across = shape("LineString", "[[-1,0.5],[2,0.5]]");
  EXPECT_TRUE(is_within(*point("[0.5,0.5]"), *area));
  EXPECT_FALSE(is_within(*point("[0,0.5]"), *area));
  EXPECT_FALSE(is_within(*point("[2,0.5]"), *area));
  EXPECT_TRUE(is_within(*point("[1,1]"), *point("[1,1]")));
  EXPECT_TRUE(is_within(*line, *area));
  EXPECT_FALSE(is_within(*across, *area));
  EXPECT_TRUE(is_within(*inner, *area));
  EXPECT_FALSE(is_within(*area, *inner));
  EXPECT_FALSE(is_within(*area, *line));
  EXPECT_TRUE(is_within(*line, *line));
  EXPECT_TRUE(intersects(*point("[0,0.5]"), *area));
  EXPECT_TRUE(intersects(*area, *point("[0,0.5]")));
  EXPECT_TRUE(intersects(*across, *area));
  EXPECT_TRUE(intersects(*area, *across));
  EXPECT_TRUE(intersects(*line, *across));
  EXPECT_TRUE(intersects(*area, *inner));
  EXPECT_FALSE(intersects(*area, *far));
  EXPECT_FALSE(intersects(*line, *far));
  EXPECT_FALSE(intersects(*point("[5,5]"), *line));
}

TEST(GeoTest, AnInvalidGeometryHasAReason) {
  const auto reason = [](std::string_view json) { return parsed_shape(json).reason; };
  EXPECT_EQ(reason(R"({"type":"Point","coordinates":[133.75,-184.38]})"),
            "Latitude values must be between -90 and 90 degrees.");
  EXPECT_EQ(reason(R"({"type":"Point","coordinates":[190,0]})"),
            "Longitude values must be between -180 and 180 degrees.");
  EXPECT_EQ(reason(R"({"type":"Point","coordinates":["a",0]})"),
            "A position must be an array of at least two numbers.");
  EXPECT_EQ(reason(R"({"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]})"),
            "The edges of a polygon must not cross.");
  EXPECT_EQ(reason(R"({"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]})"),
            "A ring must end where it begins.");
  EXPECT_EQ(reason(R"({"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]]]})"),
            "A ring must have at least four positions.");
  EXPECT_EQ(reason(R"({"type":"Polygon","coordinates":[]})"),
            "A polygon must have at least one ring.");
  EXPECT_EQ(reason(R"({"type":"LineString","coordinates":[[1,1],[1,1]]})"),
            "A line must have at least two different positions.");
  EXPECT_EQ(reason(R"({"type":"Polygon","coordinates":7})"),
            "Coordinates must be nested arrays of numbers.");
  EXPECT_EQ(reason(R"({"type":"Circle","coordinates":[1,2]})"),
            "The type must be Point, LineString, MultiLineString, Polygon or MultiPolygon.");
  EXPECT_EQ(reason("[1,2]"), "A geometry is an object with a type.");
}

TEST(GeoTest, AShapeOfTooManyPointsIsRefused) {
  Array line;
  for (std::size_t i = 0; i <= limits::shape_points_max; ++i) {
    line.push_back(Array{static_cast<double>(i) / 1'000, 0});
  }
  const Value whole(Object{{"type", "LineString"}, {"coordinates", line}});
  const Result<ParsedShape> read = read_shape(whole);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::too_large);
}

}  // namespace
}  // namespace mayfly::geo
