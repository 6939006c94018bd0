// Comparison by rank of kind, then within the kind.
#include "dialect/fauna/values/order.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

#include "dialect/fauna/values/text/ids.h"
#include "value/order/order.h"

namespace mayfly::fauna {
namespace {

using Members = std::vector<const FqlObject::Member*>;

// Kinds with the same rank are comparable.
int rank_of(FqlKind kind) {
  switch (kind) {
    case FqlKind::whole:
    case FqlKind::real: return 0;
    case FqlKind::bytes: return 1;
    case FqlKind::text: return 2;
    case FqlKind::array: return 3;
    case FqlKind::object: return 4;
    case FqlKind::id: return 5;
    case FqlKind::document:
    case FqlKind::shown_document: return 6;
    case FqlKind::time:
    case FqlKind::transaction_time: return 7;
    case FqlKind::date: return 8;
    case FqlKind::uuid: return 9;
    case FqlKind::boolean: return 10;
    case FqlKind::module: return 11;
    case FqlKind::set:
    case FqlKind::set_cursor:
    case FqlKind::shown_page: return 12;
    case FqlKind::function: return 13;
    case FqlKind::event_source: return 14;
    case FqlKind::null: return 15;
  }
  return 15;
}

// Maps a byte of UTF-8 to the order of UTF-16 code units: surrogates come between characters that
// start with ED and those that start with EE.
int utf16_place(char c) {
  const int byte = static_cast<unsigned char>(c);
  return byte >= 0xF0 ? 0xED * 256 + byte : byte * 256;
}

// Ids of digits come first, in numeric order.
std::strong_ordering order_ids(std::string_view a, std::string_view b) {
  if (is_digits(a) != is_digits(b)) return is_digits(b) <=> is_digits(a);
  if (is_digits(a) && a.size() != b.size()) return a.size() <=> b.size();
  return order_texts(a, b);
}

Value plain_number(const FqlValue& n) {
  return n.is(FqlKind::whole) ? Value(n.whole().number) : Value(n.real());
}

std::strong_ordering order_times(const FqlValue& a, const FqlValue& b) {
  const bool is_time = a.is(FqlKind::time);
  if (is_time && b.is(FqlKind::time)) return a.time() <=> b.time();
  return b.is(FqlKind::time) <=> is_time;
}

// Compares collection, id and partition.
std::tuple<std::string_view, std::string_view, std::string_view> reference_of(
    const FqlValue& document) {
  if (document.is(FqlKind::document)) {
    const DocumentHandle& handle = *document.document();
    return {handle.collection, handle.id, handle.routing};
  }
  const ShownDocument& shown = document.shown_document();
  return {shown.collection->name, shown.id, {}};
}

std::strong_ordering order_documents(const FqlValue& a, const FqlValue& b) {
  const auto [collection_a, id_a, partition_a] = reference_of(a);
  const auto [collection_b, id_b, partition_b] = reference_of(b);
  const auto by_collection = order_texts(collection_a, collection_b);
  if (by_collection != 0) return by_collection;
  const auto by_id = order_ids(id_a, id_b);
  return by_id != 0 ? by_id : partition_a <=> partition_b;
}

Members sorted_members(const FqlObject& object) {
  Members members;
  members.reserve(object.size());
  for (const FqlObject::Member& member : object.members()) members.push_back(&member);
  std::sort(members.begin(), members.end(),
            [](const auto* a, const auto* b) { return order_texts(a->first, b->first) < 0; });
  return members;
}

// Sets, functions and the like have no natural order; any stable order will do.
const void* address_of(const FqlValue& value) {
  switch (value.kind()) {
    case FqlKind::set: return value.set().get();
    case FqlKind::function: return value.function().get();
    case FqlKind::shown_page: return &value.shown_page();
    default: return nullptr;
  }
}

std::strong_ordering order_opaque(const FqlValue& a, const FqlValue& b) {
  if (a.kind() != b.kind()) return a.kind() <=> b.kind();
  if (a.is(FqlKind::set_cursor)) return a.set_cursor() <=> b.set_cursor();
  return std::compare_three_way()(address_of(a), address_of(b));
}

std::strong_ordering order_event_sources(const EventSourceToken& a, const EventSourceToken& b) {
  return std::tie(a.text, a.content) <=> std::tie(b.text, b.content);
}

// Compares an id with a number or a text; unordered if the other value is no id.
std::partial_ordering compare_id(const FqlValue& id, const FqlValue& other) {
  if (other.is(FqlKind::text)) {
    const bool is_related = is_digits(id.id()) == is_digits(other.text());
    if (!is_related) return std::partial_ordering::unordered;
    return order_ids(id.id(), other.text());
  }
  const auto number = id_number(id.id());
  if (!other.is_number() || !number) return std::partial_ordering::unordered;
  return compare(Whole{*number, true}, other);
}

bool is_nan(const FqlValue& value) {
  return value.is(FqlKind::real) && std::isnan(value.real());
}

constexpr std::size_t compared_bytes_of_step = 256;

std::size_t text_bytes(const FqlValue& value) {
  if (value.is(FqlKind::text)) return value.text().size();
  return value.is(FqlKind::bytes) ? value.bytes().size() : 0;
}

// Compares and takes steps of a meter. Without a meter (null), nothing fails.
class Comparing {
 public:
  explicit Comparing(Meter* meter) : meter_(meter) {}

  Result<std::strong_ordering> order(const FqlValue& a, const FqlValue& b) const {
    TRY(step(std::min(text_bytes(a), text_bytes(b)) / compared_bytes_of_step));
    if (const auto by_kind = rank_of(a.kind()) <=> rank_of(b.kind()); by_kind != 0) return by_kind;
    if (a.is(FqlKind::array)) return items(a.array(), b.array());
    if (a.is(FqlKind::object)) return members(a.object(), b.object());
    return order_leaves(a, b);
  }

  Result<std::partial_ordering> compare(const FqlValue& a, const FqlValue& b) const {
    if (a.is(FqlKind::id) && !b.is(FqlKind::id)) return compare_id(a, b);
    if (b.is(FqlKind::id) && !a.is(FqlKind::id)) return 0 <=> compare_id(b, a);
    const bool is_related = rank_of(a.kind()) == rank_of(b.kind());
    if (!is_related || is_nan(a) || is_nan(b)) return std::partial_ordering::unordered;
    return TRY(order(a, b));
  }

  Result<bool> equal(const FqlValue& a, const FqlValue& b) const {
    TRY(step(0));
    if (a.is(FqlKind::array) && b.is(FqlKind::array)) return equal_items(a.array(), b.array());
    if (a.is(FqlKind::object) && b.is(FqlKind::object)) {
      return equal_members(a.object(), b.object());
    }
    return TRY(compare(a, b)) == 0;
  }

 private:
  Result<void> step(std::size_t more) const {
    return meter_ == nullptr ? Result<void>() : meter_->tick(static_cast<std::uint32_t>(1 + more));
  }

  Result<std::strong_ordering> items(const FqlArray& a, const FqlArray& b) const {
    const std::size_t shared = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < shared; ++i) {
      if (const auto by_item = TRY(order(a[i], b[i])); by_item != 0) return by_item;
    }
    return a.size() <=> b.size();
  }

  Result<std::strong_ordering> members(const FqlObject& a, const FqlObject& b) const {
    TRY(step(a.size() + b.size()));
    const Members left = sorted_members(a);
    const Members right = sorted_members(b);
    const std::size_t shared = std::min(left.size(), right.size());
    for (std::size_t i = 0; i < shared; ++i) {
      const auto by_name = order_texts(left[i]->first, right[i]->first);
      if (by_name != 0) return by_name;
      const auto by_value = TRY(order(left[i]->second, right[i]->second));
      if (by_value != 0) return by_value;
    }
    return left.size() <=> right.size();
  }

  Result<bool> equal_items(const FqlArray& a, const FqlArray& b) const {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!TRY(equal(a[i], b[i]))) return false;
    }
    return true;
  }

  Result<bool> equal_members(const FqlObject& a, const FqlObject& b) const {
    if (a.size() != b.size()) return false;
    TRY(step(a.size()));
    const Members left = sorted_members(a);
    const Members right = sorted_members(b);
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i]->first != right[i]->first) return false;
      if (!TRY(equal(left[i]->second, right[i]->second))) return false;
    }
    return true;
  }

  // Compares values of the same rank.
  static std::strong_ordering order_leaves(const FqlValue& a, const FqlValue& b) {
    switch (a.kind()) {
      case FqlKind::boolean: return a.boolean() <=> b.boolean();
      case FqlKind::whole:
      case FqlKind::real: return mayfly::order(plain_number(a), plain_number(b));
      case FqlKind::text: return order_texts(a.text(), b.text());
      case FqlKind::bytes: return a.bytes() <=> b.bytes();
      case FqlKind::time:
      case FqlKind::transaction_time: return order_times(a, b);
      case FqlKind::date: return a.date() <=> b.date();
      case FqlKind::uuid: return a.uuid() <=> b.uuid();
      case FqlKind::id: return order_ids(a.id(), b.id());
      case FqlKind::module: return order_texts(a.module()->name, b.module()->name);
      case FqlKind::document:
      case FqlKind::shown_document: return order_documents(a, b);
      case FqlKind::event_source:
        return order_event_sources(a.event_source_token(), b.event_source_token());
      case FqlKind::set:
      case FqlKind::function:
      case FqlKind::set_cursor:
      case FqlKind::shown_page: return order_opaque(a, b);
      case FqlKind::null:
      case FqlKind::object:
      case FqlKind::array: break;
    }
    return std::strong_ordering::equal;
  }

  Meter* const meter_;
};

}  // namespace

std::strong_ordering order_texts(std::string_view a, std::string_view b) {
  const auto [at_a, at_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (at_a == a.end() || at_b == b.end()) return a.size() <=> b.size();
  return utf16_place(*at_a) <=> utf16_place(*at_b);
}

Result<std::strong_ordering> total_order(Meter& meter, const FqlValue& a, const FqlValue& b) {
  return Comparing(&meter).order(a, b);
}

std::strong_ordering total_order(const FqlValue& a, const FqlValue& b) {
  return *Comparing(nullptr).order(a, b);
}

Result<std::partial_ordering> compare(Meter& meter, const FqlValue& a, const FqlValue& b) {
  return Comparing(&meter).compare(a, b);
}

std::partial_ordering compare(const FqlValue& a, const FqlValue& b) {
  return *Comparing(nullptr).compare(a, b);
}

Result<bool> equal(Meter& meter, const FqlValue& a, const FqlValue& b) {
  return Comparing(&meter).equal(a, b);
}

bool equal(const FqlValue& a, const FqlValue& b) {
  return *Comparing(nullptr).equal(a, b);
}

}  // namespace mayfly::fauna
