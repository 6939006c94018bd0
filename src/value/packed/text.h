// Reading the compact text within packed bytes where it lies. The text was canonical when pack
// wrote it; should it be damaged, every function gives nothing, or something else, but stays within
// its bounds.
//
//   wrapper := {"\u0000t":[ what ]}
//   what    := "time",micros | "date",days | "binary","base64" | "reference","collection","id"
//            | "real","NaN" or "Infinity" or "-Infinity" | "object",object
//
// An object of the client's own whose first member is named "\u0000t" lies within the last kind of
// wrapper, so that it is never taken for one. The document itself is never a wrapper.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "value/value.h"

namespace mayfly {

inline constexpr std::string_view wrapper_name = R"(\u0000t)";  // escaped, as it lies in the text
inline constexpr std::string_view wrapper_open = R"({"\u0000t":[)";
inline constexpr std::string_view wrapper_close = "]}";
inline constexpr std::string_view object_wrapper_open = R"({"\u0000t":["object",)";

enum class Wrappers { none, some };

// The text of the member or item of a nested value; empty where it is not there. Names are escaped.
std::string_view stored_member(std::string_view value, std::string_view escaped_name, Wrappers);
std::string_view stored_item(std::string_view value, std::size_t index);
// Whether it is well-formed; only then `out` is set.
bool read_stored(std::string_view value, Wrappers wrappers, Value& out);
bool read_stored_document(std::string_view object, Wrappers wrappers, Value& out);
// The wire form of a document with wrappers.
void render_stored_document(std::string_view object, std::string& out);

}  // namespace mayfly
