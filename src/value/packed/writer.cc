// Writes packed bytes.
#include "value/packed/writer.h"

#include <endian.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/limits.h"
#include "value/json/json.h"
#include "value/packed/format.h"
#include "value/packed/name_table.h"
#include "value/packed/text.h"

namespace mayfly {

static_assert(limits::document_bytes_max <= packed_position_max, "the directory's positions");

namespace {

constexpr std::size_t few_names = 48;

// A fingerprint of a name: its size and up to eight bytes, the first four and the last four.
std::uint64_t fingerprint_of(std::string_view name) {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  if (name.size() >= sizeof first) {
    std::memcpy(&first, name.data(), sizeof first);
    std::memcpy(&last, name.data() + name.size() - sizeof last, sizeof last);
  } else {
    for (const char c : name) first = first << 8 | static_cast<std::uint8_t>(c);
  }
  return (static_cast<std::uint64_t>(first) << 32 | last) + name.size() * 0x9E3779B97F4A7C15;
}

}  // namespace

PackedWriter::Open PackedWriter::open_document() {
  Open object = open_object();
  object.is_document = true;
  return object;
}

PackedWriter::Open PackedWriter::open_object() {
  json_.push_back('{');
  return {names_.size()};
}

void PackedWriter::begin_name(const Open& object) {
  if (names_.size() > object.names_from) json_.push_back(',');
  names_.push_back({static_cast<std::uint32_t>(json_.size() + 1), 0});
}

void PackedWriter::end_name(Open& object) {
  Name& name = names_.back();
  name.size = static_cast<std::uint32_t>(json_.size() - name.at - 1);
  json_.push_back(':');
  const bool is_first = names_.size() == object.names_from + 1;
  if (!is_first || object.is_document || text_of(name) != wrapper_name) return;
  // The wrapper begins before the object's brace.
  const std::size_t brace = name.at - 2;
  json_.insert(brace, object_wrapper_open);
  name.at += static_cast<std::uint32_t>(object_wrapper_open.size());
  object.is_wrapped = true;
  set_wrapped();
}

void PackedWriter::quoted_name(Open& object, std::string_view quoted) {
  begin_name(object);
  json_.append(quoted);
  end_name(object);
}

void PackedWriter::name(Open& object, std::string_view text) {
  begin_name(object);
  render_json_text(text, json_);
  end_name(object);
}

PackedWriter::Names PackedWriter::close_object(const Open& object) {
  const Names state = check_names(object.names_from);
  json_.push_back('}');
  if (object.is_wrapped) json_.append(wrapper_close);
  if (!object.is_document) names_.resize(object.names_from);
  return state;
}

// Compares fingerprints of the names: equal names have equal ones, and few other names do unless a
// client makes them so.
bool PackedWriter::may_repeat(std::size_t from) const {
  std::array<std::uint64_t, few_names> fingerprints;
  std::size_t count = 0;
  for (std::size_t i = from; i < names_.size(); ++i) {
    const std::uint64_t fingerprint = fingerprint_of(text_of(names_[i]));
    for (std::size_t j = 0; j < count; ++j) {
      if (fingerprints[j] == fingerprint) return true;
    }
    fingerprints[count++] = fingerprint;
  }
  return false;
}

PackedWriter::Names PackedWriter::check_names(std::size_t from) const {
  const std::size_t count = names_.size() - from;
  if (count > limits::document_fields_max) return Names::too_many;
  if (count <= few_names && !may_repeat(from)) return Names::unique;
  NameTable table(count);
  for (std::size_t i = from; i < names_.size(); ++i) {
    if (table.add(text_of(names_[i]))) return Names::duplicate;
  }
  return Names::unique;
}

Result<Bytes> PackedWriter::finish() const {
  if (json_.size() > limits::document_bytes_max) {
    return fail(Code::too_large, fmt::format("a document of {} bytes, where at most {} are taken",
                                             json_.size(), limits::document_bytes_max));
  }
  Bytes packed;
  const std::size_t directory_bytes = names_.size() * packed_entry_bytes;
  packed.reserve(16 + directory_bytes + json_.size());
  packed.push_back(packed_format);
  packed.push_back(wrapped_ ? packed_has_wrappers : '\0');
  put_varint(packed, names_.size());
  std::size_t at = packed.size();
  packed.resize(at + directory_bytes);
  for (const Name& name : names_) {
    const std::uint32_t size = std::min<std::uint32_t>(name.size, packed_long_name);
    const std::uint32_t entry = htole32(name.at | size << 24);
    std::memcpy(packed.data() + at, &entry, sizeof entry);
    at += sizeof entry;
  }
  packed.append(json_);
  return packed;
}

}  // namespace mayfly
