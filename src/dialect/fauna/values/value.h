// FqlValue: a value of FQL. Copying one is cheap: texts, arrays and objects are shared and
// immutable. wire/ has the wire formats of each kind, values/stored.h the stored form.
//
// Source of the rules: the published reference of FQL v10.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly::fauna {

class FqlValue;
struct Source;  // syntax/diagnostics/source.h

// The reason for a null; `!` reports it.
enum class NullCause : std::uint8_t {
  literal,
  missing_field,  // NullDetail has its name
  no_element,
  empty_set,
  empty_array,
  invalid_number,
  permission_denied,
  missing_identity
};
// Details of a null: the name of the missing field; the expression that it came from, if it was
// bound to a name since.
struct NullDetail {
  std::string field = {};
  std::shared_ptr<const Source> source = {};
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};
struct NullValue {
  NullCause cause = NullCause::literal;
  std::shared_ptr<const NullDetail> detail = {};
};

// Both kinds of whole numbers. The kind is the one it was created with; an Int has 32 bits.
struct Whole {
  std::int64_t number = 0;
  bool is_long = false;
};

// Nanoseconds, UTC. `nanos` is 0 to 999,999,999, also before 1970.
struct FqlTime {
  std::int64_t seconds = 0;
  std::int32_t nanos = 0;
  auto operator<=>(const FqlTime&) const = default;

  static FqlTime of(Instant t);
  // Rounded up to microseconds, so that a document which lives until this time is not expired
  // earlier.
  Instant instant() const;
};
// The time of a write that is not committed yet: the instant of its commit.
struct TransactionTime {};

// Days since 1970-01-01.
struct FqlDate {
  std::int64_t days = 0;
  auto operator<=>(const FqlDate&) const = default;
};
struct Uuid {
  std::string text;  // 36 characters
};
// The id of a document, as decimal digits; documents written by other APIs may have any text.
struct Id {
  std::string text;
};
struct ByteText {
  std::string bytes;
};

// A module, known by its name: a collection, `Math`, `Set`.
struct Module {
  std::string name;
  bool is_deleted = false;  // a deleted collection, of a document that was read earlier
};
using ModulePtr = std::shared_ptr<const Module>;

// A reference to a document, which is read only when needed.
struct DocumentHandle {
  std::string collection;  // its name, also of built-in ones: `Key`, `Collection`
  std::string id;          // or its name, for named documents
  bool is_named = false;
  std::optional<Instant> at = {};                  // the instant of reads; nullopt: now
  bool is_deleted = false;                         // the result of delete()
  std::shared_ptr<const std::string> secret = {};  // of a key or token that was just created
  // The partition, if a set returned the document: several partitions may have its id. Empty:
  // unknown or none.
  std::string routing = {};
};
using DocumentPtr = std::shared_ptr<const DocumentHandle>;

class FqlSet;    // sets/set.h
class Callable;  // run/functions/callable.h
struct ShownDocument;
struct ShownPage;

// The text of a cursor.
struct SetCursor {
  std::string text;
};
// An event source: the text of its token. One made in this query holds the future content of its
// token until the instant of the query is known (events/sources/token.h).
struct EventSourceToken {
  std::string text = {};
  std::string content = {};
};

using FqlArray = std::vector<FqlValue>;
// An object: members in order, with unique names.
class FqlObject {
 public:
  using Member = std::pair<std::string, FqlValue>;

  const FqlValue* find(std::string_view name) const;
  FqlValue* find(std::string_view name);
  // Replaces the member of that name in place, or appends it.
  void set(std::string name, FqlValue value);
  void append(std::string name, FqlValue value);  // the name must be new
  bool remove(std::string_view name);
  void reserve(std::size_t size) { members_.reserve(size); }
  std::size_t size() const;
  bool empty() const;
  const std::vector<Member>& members() const { return members_; }
  std::vector<Member>& members() { return members_; }

 private:
  std::vector<Member> members_;
};

enum class FqlKind : std::uint8_t {
  null,
  boolean,
  whole,
  real,
  text,
  bytes,
  time,
  transaction_time,
  date,
  uuid,
  id,
  module,
  document,
  set,
  function,
  object,
  array,
  set_cursor,
  event_source,
  shown_document,  // in results only
  shown_page       // the same
};

class FqlValue {
 public:
  template <class T>
  using Shared = std::shared_ptr<const T>;
  using Variant = std::variant<NullValue, bool, Whole, double, Shared<std::string>,
                               Shared<ByteText>, FqlTime, TransactionTime, FqlDate, Shared<Uuid>,
                               Shared<Id>, ModulePtr, DocumentPtr, Shared<FqlSet>, Shared<Callable>,
                               Shared<FqlObject>, Shared<FqlArray>, Shared<SetCursor>,
                               Shared<EventSourceToken>, Shared<ShownDocument>, Shared<ShownPage>>;

  FqlValue() = default;  // null
  FqlValue(const FqlValue& other) : variant_(copy_of(other.variant_)), depth_(other.depth_) {}
  FqlValue(FqlValue&&) noexcept = default;
  FqlValue& operator=(const FqlValue& other) { return *this = FqlValue(other); }
  FqlValue& operator=(FqlValue&&) noexcept = default;
  ~FqlValue() = default;
  FqlValue(NullValue null) : variant_(std::move(null)) {}
  FqlValue(std::nullptr_t) {}
  FqlValue(bool b) : variant_(b) {}
  FqlValue(int n) : variant_(Whole{n, false}) {}
  FqlValue(Whole n) : variant_(n) {}
  FqlValue(double d) : variant_(d) {}
  FqlValue(std::string s) : variant_(std::make_shared<const std::string>(std::move(s))) {}
  FqlValue(std::string_view s) : FqlValue(std::string(s)) {}
  FqlValue(const char* s) : FqlValue(std::string(s)) {}
  FqlValue(Shared<std::string> s) : variant_(std::move(s)) {}
  FqlValue(ByteText b) : variant_(std::make_shared<const ByteText>(std::move(b))) {}
  FqlValue(FqlTime t) : variant_(t) {}
  FqlValue(TransactionTime t) : variant_(t) {}
  FqlValue(FqlDate d) : variant_(d) {}
  FqlValue(Uuid u) : variant_(std::make_shared<const Uuid>(std::move(u))) {}
  FqlValue(Id i) : variant_(std::make_shared<const Id>(std::move(i))) {}
  FqlValue(ModulePtr m) : variant_(std::move(m)) {}
  FqlValue(DocumentPtr d) : variant_(std::move(d)) {}
  FqlValue(DocumentHandle d) : variant_(std::make_shared<const DocumentHandle>(std::move(d))) {}
  FqlValue(Shared<FqlSet> s);
  FqlValue(Shared<Callable> c);
  FqlValue(FqlObject o) : FqlValue(std::make_shared<const FqlObject>(std::move(o))) {}
  FqlValue(Shared<FqlObject> o);
  FqlValue(FqlArray a) : FqlValue(std::make_shared<const FqlArray>(std::move(a))) {}
  FqlValue(Shared<FqlArray> a);
  FqlValue(SetCursor c) : variant_(std::make_shared<const SetCursor>(std::move(c))) {}
  FqlValue(EventSourceToken t) : variant_(std::make_shared<const EventSourceToken>(std::move(t))) {}
  FqlValue(Shared<ShownDocument> d) : variant_(std::move(d)) {}
  FqlValue(Shared<ShownPage> p) : variant_(std::move(p)) {}

  FqlKind kind() const { return static_cast<FqlKind>(variant_.index()); }
  bool is(FqlKind k) const { return kind() == k; }
  bool is_null() const { return is(FqlKind::null); }
  // Nesting depth of arrays and objects; 0 for all other values.
  std::uint16_t depth() const { return depth_; }
  bool is_number() const { return is(FqlKind::whole) || is(FqlKind::real); }

  // Each may be called only if kind() matches.
  const NullValue& null() const { return std::get<NullValue>(variant_); }
  bool boolean() const { return std::get<bool>(variant_); }
  const Whole& whole() const { return std::get<Whole>(variant_); }
  double real() const { return std::get<double>(variant_); }
  const std::string& text() const { return *std::get<Shared<std::string>>(variant_); }
  const std::string& bytes() const { return std::get<Shared<ByteText>>(variant_)->bytes; }
  const FqlTime& time() const { return std::get<FqlTime>(variant_); }
  const FqlDate& date() const { return std::get<FqlDate>(variant_); }
  const std::string& uuid() const { return std::get<Shared<Uuid>>(variant_)->text; }
  const std::string& id() const { return std::get<Shared<Id>>(variant_)->text; }
  const ModulePtr& module() const { return std::get<ModulePtr>(variant_); }
  const DocumentPtr& document() const { return std::get<DocumentPtr>(variant_); }
  const Shared<FqlSet>& set() const { return std::get<Shared<FqlSet>>(variant_); }
  const Shared<Callable>& function() const { return std::get<Shared<Callable>>(variant_); }
  const FqlObject& object() const { return *std::get<Shared<FqlObject>>(variant_); }
  const FqlArray& array() const { return *std::get<Shared<FqlArray>>(variant_); }
  const Shared<FqlArray>& shared_array() const { return std::get<Shared<FqlArray>>(variant_); }
  const std::string& set_cursor() const { return std::get<Shared<SetCursor>>(variant_)->text; }
  const EventSourceToken& event_source_token() const {
    return *std::get<Shared<EventSourceToken>>(variant_);
  }
  const std::string& event_source() const { return event_source_token().text; }
  const ShownDocument& shown_document() const { return *std::get<Shared<ShownDocument>>(variant_); }
  const ShownPage& shown_page() const { return *std::get<Shared<ShownPage>>(variant_); }

  // A number as a double; only where is_number().
  double number() const {
    return is(FqlKind::whole) ? static_cast<double>(whole().number) : real();
  }

 private:
  // A fast path, because numbers are copied most often.
  static Variant copy_of(const Variant& alternative) {
    if (const auto* whole = std::get_if<Whole>(&alternative)) return Variant(*whole);
    return alternative;
  }

  [[no_unique_address]] Variant variant_;  // so that the depth lies in its padding
  std::uint16_t depth_ = 0;
};

// An Int if it fits 32 bits, else a Long.
FqlValue whole_number(std::int64_t n);
FqlValue long_number(std::int64_t n);
FqlValue null_because(NullCause cause, std::string_view detail = {});
ModulePtr module_of(std::string name);

// Maps the items of an array or object with `change`. Returns the same value if no item changes.
// Fails as `change` does.
using ChangeItem = std::function<Result<FqlValue>(const FqlValue& item)>;
Result<FqlValue> with_items(const FqlValue& value, const ChangeItem& change);

// Replaces leaves, which are values without items, at any depth: those for which `replace` returns
// a value.
using ReplaceLeaf = std::function<std::optional<FqlValue>(const FqlValue& leaf)>;
FqlValue with_leaves(const FqlValue& value, const ReplaceLeaf& replace);

// A document in a result: whole, as a reference, or as missing.
struct ShownDocument {
  enum class Form : std::uint8_t { whole, reference, missing };
  Form form = Form::whole;
  ModulePtr collection;
  std::string id;  // or its name
  bool is_named = false;
  std::string cause = {};  // of one that is missing: "not found", "deleted" …
  // For a whole document: `ts`, `ttl` and its fields in display order, without `id`, `coll` and
  // `name`. Documents among them are references.
  FqlObject fields = {};
};

// A set in a result: its first page; or a cursor, if it is nested too deep.
struct ShownPage {
  std::optional<FqlArray> data = {};
  std::optional<std::string> cursor = {};  // `after`; without `data`, the cursor of the set itself
};

}  // namespace mayfly::fauna
