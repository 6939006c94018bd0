#include "expr/function.h"

#include <unordered_map>

#include "expr/functions/families.h"

namespace mayfly {
namespace {

using Names = std::unordered_map<std::string_view, const Function*>;

Names all_names() {
  Names names;
  for (const Family& family : function_families()) {
    for (const Function& function : family.functions) names.emplace(function.name, &function);
  }
  return names;
}

}  // namespace

const Value Arguments::missing;

std::span<const Family> function_families() {
  static const Family families[] = {
      {"comparison", comparison_functions()},
      {"logic", logic_functions()},
      {"arithmetic", arithmetic_functions(), true},
      {"mathematics", mathematics_functions(), true},
      {"whole numbers of 64 bits", integer_functions()},
      {"bits", bit_functions()},
      {"text", text_functions()},
      {"text counted in UTF-16", utf16_functions()},
      {"text search", search_functions()},
      {"patterns", pattern_functions()},
      {"array", array_functions()},
      {"summaries of arrays", array_summary_functions(), true},
      {"object", object_functions()},
      {"conversion", conversion_functions(), true},
      {"time", time_functions()},
      {"time as text", time_text_functions()},
      {"parts of a time as text", time_part_functions()},
      {"formats of time", time_format_functions()},
      {"places", geo_functions(), true},
      {"vectors", vector_functions(), true},
      {"values within values", within_functions()},
      {"words of a text", word_functions()},
      {"full text", full_text_functions()},
      {"times as milliseconds", millis_functions()},
      {"hashes of keys", hashing_functions()},
  };
  return families;
}

const Function* find_function(std::string_view name) {
  static const Names names = all_names();
  const auto found = names.find(name);
  return found == names.end() ? nullptr : found->second;
}

}  // namespace mayfly
