// Reads the compact text in place within packed bytes. pack wrote canonical text. If it is damaged,
// every function returns nothing, or something else, but stays within bounds.
//
//   wrapper := {"\u0000t":[ what ]}
//   what    := "time",micros | "date",days | "binary","base64" | "reference","collection","id"
//            | "real","NaN" or "Infinity" or "-Infinity" | "object",object
//
// A client's own object whose first member is named "\u0000t" is stored in a wrapper of the last
// kind, so it is never mistaken for a wrapper. The document itself is never a wrapper.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "value/value.h"

namespace mayfly {

inline constexpr std::string_view wrapper_name = R"(\u0000t)";  // escaped, as in the text
inline constexpr std::string_view wrapper_open = R"({"\u0000t":[)";
inline constexpr std::string_view wrapper_close = "]}";
inline constexpr std::string_view object_wrapper_open = R"({"\u0000t":["object",)";

enum class Wrappers { none, some };

// The text of the member or item of a nested value; empty if it does not exist. Names are escaped.
std::string_view stored_member(std::string_view value, std::string_view escaped_name, Wrappers);
std::string_view stored_item(std::string_view value, std::size_t index);
// Whether it is well-formed; `out` is set only then.
bool read_stored(std::string_view value, Wrappers wrappers, Value& out);
bool read_stored_document(std::string_view object, Wrappers wrappers, Value& out);
// Renders a document with wrappers for responses.
void render_stored_document(std::string_view object, std::string& out);

}  // namespace mayfly
