// Functions of vectors: two arrays of numbers of the same length.
#include <cmath>
#include <optional>

#include "expr/functions/families.h"

namespace mayfly {
namespace {

struct Sums {
  double products = 0;  // of the numbers pairwise
  double left = 0;      // of the squares
  double right = 0;
  double differences = 0;  // of their squares
};

// Nullopt unless the arguments are two vectors.
std::optional<Sums> sums_of(const Arguments& a) {
  if (!a[0].is(Kind::array) || !a[1].is(Kind::array)) return std::nullopt;
  const Array& left = a[0].array();
  const Array& right = a[1].array();
  if (left.empty() || left.size() != right.size()) return std::nullopt;
  Sums sums;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!left[i].is_number() || !right[i].is_number()) return std::nullopt;
    const double x = left[i].number();
    const double y = right[i].number();
    sums.products += x * y;
    sums.left += x * x;
    sums.right += y * y;
    sums.differences += (x - y) * (x - y);
  }
  return sums;
}

Result<Value> cosine_similarity(const Arguments& a) {
  const auto sums = sums_of(a);
  if (!sums || sums->left == 0 || sums->right == 0) return Value();
  return sums->products / (std::sqrt(sums->left) * std::sqrt(sums->right));
}

Result<Value> dot_product(const Arguments& a) {
  const auto sums = sums_of(a);
  return sums ? Value(sums->products) : Value();
}

Result<Value> euclidean_distance(const Arguments& a) {
  const auto sums = sums_of(a);
  return sums ? Value(std::sqrt(sums->differences)) : Value();
}

Function of_vectors(std::string_view name, std::string_view summary,
                    Result<Value> (*apply)(const Arguments&), std::vector<Example> examples) {
  return {name, summary, 2, 2, apply, std::move(examples)};
}

}  // namespace

std::span<const Function> vector_functions() {
  static const Function table[] = {
      of_vectors("vector_cosine",
                 "The cosine of the angle between two vectors: 1 where they point the same way, "
                 "-1 where opposite ways.",
                 cosine_similarity,
                 {{"[3,4], [6,8]", "1"},
                  {"[1,0], [0,1]", "0"},
                  {"[1,0], [-2,0]", "-1"},
                  {"[0,0], [1,0]", "missing"},
                  {"[1], [1,2]", "missing"},
                  {R"([1], ["1"])", "missing"}}),
      of_vectors("vector_dot_product", "The dot product of two vectors.", dot_product,
                 {{"[1,2,3], [4,5,6]", "32"}, {"[], []", "missing"}}),
      of_vectors("vector_distance", "The distance between two vectors.", euclidean_distance,
                 {{"[0,0], [3,4]", "5"}, {"1, [1]", "missing"}}),
  };
  return table;
}

}  // namespace mayfly
