// Functions of GeoJSON geometries (value/geo/geo.h). Missing for an invalid geometry.
#include "value/geo/geo.h"

#include <memory>
#include <vector>

#include "expr/functions/families.h"

namespace mayfly {
namespace {

// The literal geometries of a call, parsed once.
struct Shapes final : expr::Prepared {
  std::vector<geo::ShapePtr> shapes;  // null if the argument is no literal, or invalid
};

std::shared_ptr<const expr::Prepared> prepare_shapes(std::span<const Value* const> literals) {
  auto prepared = std::make_shared<Shapes>();
  bool has_any = false;
  for (const Value* literal : literals) {
    geo::ShapePtr shape;
    if (literal != nullptr) {
      const Result<geo::ParsedShape> reading = geo::read_shape(*literal);
      if (reading) shape = reading->shape;
    }
    has_any = has_any || shape != nullptr;
    prepared->shapes.push_back(std::move(shape));
  }
  return has_any ? prepared : nullptr;
}

Result<geo::ShapePtr> shape_at(const Arguments& a, std::size_t i) {
  const auto* prepared = static_cast<const Shapes*>(a.prepared());
  if (prepared != nullptr && prepared->shapes[i] != nullptr) return prepared->shapes[i];
  return TRY(geo::read_shape(a[i])).shape;
}

template <auto operation>
Result<Value> of_two_shapes(const Arguments& a) {
  const geo::ShapePtr left = TRY(shape_at(a, 0));
  if (left == nullptr) return Value();
  const geo::ShapePtr right = TRY(shape_at(a, 1));
  return right != nullptr ? Value(operation(*left, *right)) : Value();
}

Result<Value> area(const Arguments& a) {
  const geo::ShapePtr shape = TRY(shape_at(a, 0));
  return shape != nullptr ? Value(geo::area(*shape)) : Value();
}

Result<Value> is_valid(const Arguments& a) {
  if (a[0].is_missing()) return Value();
  return Value(TRY(geo::read_shape(a[0])).shape != nullptr);
}

Result<Value> validity(const Arguments& a) {
  if (a[0].is_missing()) return Value();
  const geo::ParsedShape reading = TRY(geo::read_shape(a[0]));
  if (reading.shape != nullptr) return Value(Object{{"valid", true}});
  return Value(Object{{"valid", false}, {"reason", reading.reason}});
}

Function two(std::string_view name, std::string_view summary, Apply apply,
             std::vector<Example> examples, bool gives_truth) {
  Function row = binary(name, summary, apply, std::move(examples));
  row.gives_truth = gives_truth;
  row.prepare = prepare_shapes;
  return row;
}

#define SQUARE R"({"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]})"
#define POINT(position) R"({"type":"Point","coordinates":)" position "}"

}  // namespace

std::span<const Function> geo_functions() {
  static const Function table[] = {
      two("geo_distance",
          "The metres between two places (GeoJSON) on the WGS-84 ellipsoid; 0 where they touch.",
          of_two_shapes<geo::distance>,
          {{POINT("[7,50]") ", " POINT("[7,50]"), "0"},
           {POINT("[0.5,0.5]") ", " SQUARE, "0"},
           {POINT("[7,95]") ", " POINT("[7,50]"), "missing"},
           {POINT("[7,50]") ", missing", "missing"}},
          false),
      two("geo_within", "Whether the first place lies in the second, and not only on its edge.",
          of_two_shapes<geo::is_within>,
          {{POINT("[0.5,0.5]") ", " SQUARE, "true"},
           {POINT("[2,2]") ", " SQUARE, "false"},
           {R"({"type":"Point"}, )" SQUARE, "missing"}},
          true),
      two("geo_intersects", "Whether two places have a point in common.",
          of_two_shapes<geo::intersects>,
          {{SQUARE ", " SQUARE, "true"}, {POINT("[2,2]") ", " SQUARE, "false"}}, true),
      {.name = "geo_area",
       .summary = "The area of a place in square metres; 0 of points and lines.",
       .arguments_min = 1,
       .arguments_max = 1,
       .apply = area,
       .examples = {{POINT("[7,50]"), "0"}, {"7", "missing"}},
       .prepare = prepare_shapes},
      {.name = "geo_is_valid",
       .summary = "Whether it is a valid geometry in GeoJSON.",
       .arguments_min = 1,
       .arguments_max = 1,
       .apply = is_valid,
       .examples = {{SQUARE, "true"},
                    {POINT("[133.75,-184.38]"), "false"},
                    {"7", "false"},
                    {"missing", "missing"}},
       .gives_truth = true},
      {.name = "geo_validity",
       .summary = "The same, and the reason where it is not.",
       .arguments_min = 1,
       .arguments_max = 1,
       .apply = validity,
       .examples =
           {{POINT("[-84.38,33.75]"), R"({"valid":true})"},
            {POINT("[133.75,-184.38]"),
             R"({"valid":false,"reason":"Latitude values must be between -90 and 90 degrees."})"}}},
  };
  return table;
}

#undef SQUARE
#undef POINT

}  // namespace mayfly
