// PackedWriter: builds packed bytes while a document is walked, whether it is a Value or JSON text.
// It writes the punctuation of members, finds duplicate names, makes the directory, and wraps
// objects that could be mistaken for a wrapper (text.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace mayfly {

// Used by pack() and pack_json(). Nothing checks that each object is closed, innermost first.
class PackedWriter {
 public:
  // The names of an object that has ended. Duplicates are not merged: the caller handles them.
  enum class Names { unique, duplicate, too_many };
  // An object that is being written.
  struct Open {
    std::size_t names_from = 0;
    bool is_document = false;
    bool is_wrapped = false;
  };

  explicit PackedWriter(std::size_t bytes_expected) { json_.reserve(bytes_expected); }

  // Scalars and arrays are appended to this text.
  std::string& json() { return json_; }
  // Says that a wrapper has been written.
  void set_wrapped() { wrapped_ = true; }

  Open open_document();
  Open open_object();
  // Writes a member's name and its punctuation: from canonical text in quotes, or from a text that
  // must be escaped.
  void quoted_name(Open& object, std::string_view quoted);
  void name(Open& object, std::string_view text);
  Names close_object(const Open& object);

  // Fails with too_large.
  Result<Bytes> finish() const;

 private:
  struct Name {
    std::uint32_t at;
    std::uint32_t size;
  };
  std::string_view text_of(const Name& name) const {
    return std::string_view(json_).substr(name.at, name.size);
  }
  void begin_name(const Open& object);
  void end_name(Open& object);
  Names check_names(std::size_t from) const;
  bool may_repeat(std::size_t from) const;

  std::string json_;
  // The names of the open objects, outermost first.
  std::vector<Name> names_;
  bool wrapped_ = false;
};

}  // namespace mayfly
