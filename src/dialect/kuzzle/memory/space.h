// Space: the keys of the memory storage as one command sees them, all at one moment. A command that
// writes has a transaction, and is run again where that loses a race.
//
// Threads: one at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/random.h"
#include "dialect/kuzzle/memory/entry.h"
#include "dialect/kuzzle/memory/words.h"
#include "expr/evaluation/meter.h"

namespace mayfly::kuzzle::memory {

using Table = PrivateTable<Entry>;

class Space {
 public:
  // Reading only.
  Space(View& view, Meter meter, Random& random);
  Space(Transaction& transaction, Meter meter, Random& random);

  // Whether the private table has been made; without it there are no keys, and none can be put.
  bool has_table() const { return static_cast<bool>(table_); }
  Instant now() const { return view_.now(); }
  Random& random() { return random_; }

  // Every read fails with too_large once the command has read memory_read_bytes_max, and with
  // timed_out at the end of the request's time.
  Result<std::optional<Entry>> find(const std::string& key);
  // Holds no value, so it may ask for any number of keys.
  Result<bool> has(const std::string& key);
  // A key that is not there is an empty value. Fails with invalid, as Redis says it, where the key
  // holds another type; likewise the next two.
  template <class Type>
  Result<Type> read(const std::string& key) {
    return std::get<Type>(TRY(open<Type>(key)).content);
  }
  // The same to be changed and put again, with the expiration that it has.
  template <class Type>
  Result<Entry> open(const std::string& key) {
    auto entry = TRY(find_as<Type>(key));
    return entry ? *std::move(entry) : Entry{.content = Type()};
  }
  template <class Type>
  Result<std::optional<Entry>> find_as(const std::string& key) {
    return find_of_type(key, Content(Type()).index());
  }
  // When the key ends, whatever it holds; nothing where it is not there.
  Result<std::optional<Instant>> find_end(const std::string& key);

  // Writes the key whole. A collection without members is no key: it is removed. Fails with
  // too_large over the bounds of a value.
  Result<void> put(const std::string& key, const Entry& entry);
  // Gives the key another end, or the same: it counts as written. Fails with not_found.
  Result<void> put_end(const std::string& key, Instant ends_at);
  // Gives whether it was there.
  Result<bool> remove(const std::string& key);

  // Every key from this hash on, in the order of the hashes, until `visit` gives false.
  using Visit = std::function<Result<bool>(std::string_view key, std::uint64_t hash)>;
  Result<void> each_from(std::uint64_t hash, std::size_t rows_at_once, const Visit& visit);

  // Counts bytes that an answer repeats as read.
  Result<void> charge(std::size_t bytes);
  Result<void> tick(std::size_t n);

 private:
  Result<std::optional<Document>> find_document(const std::string& key);
  Result<std::optional<Entry>> find_of_type(const std::string& key, std::size_t type);

  View& view_;
  Transaction* const transaction_;  // null: reading only
  const Table table_;
  Meter meter_;
  Random& random_;
  std::size_t charged_bytes_ = 0;
};

// Fails with invalid for a name that no key can have.
Result<void> check_key(std::string_view key);

// An expiration so far away, or at an instant; each fails as Redis does where that is no time a
// document can end at. `command` is named by the error.
Result<Instant> end_after(const Space& space, std::int64_t n, Span unit, std::string_view command);
Result<Instant> end_at(std::int64_t n, Span unit, std::string_view command);

}  // namespace mayfly::kuzzle::memory
