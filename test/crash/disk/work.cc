// The commits of work.h, and the check of their result.
#include "work.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <new>

#include "base/check.h"
#include "db/feed/feed.h"
#include "value/json/json.h"
#include "value/packed/packed.h"

namespace mayfly::crash {

namespace fs = std::filesystem;

namespace {

constexpr Instant start = Instant::from_seconds(1'000'000);

std::string name_of(const char* what, std::uint64_t number) {
  return fmt::format("{} {}", what, number);
}

// Bytes that do not compress, so that files fill.
std::string body_of(std::uint64_t i) {
  std::string pad;
  std::uint64_t state = i + 1;
  while (pad.size() < 200) pad += std::to_string(state *= 6'364'136'223'846'793'005u);
  return fmt::format(R"({{"n":{},"pad":"{}"}})", i, pad);
}

}  // namespace

Result<std::unique_ptr<Opened>> Opened::open(const std::string& directory,
                                             std::shared_ptr<rocksdb::FileSystem> files) {
  std::unique_ptr<Opened> opened(new Opened(start));
  auto store = TRY(store::open_rocks({.directory = directory,
                                      .cache_bytes_max = 1 << 20,
                                      .write_buffer_bytes = 64 << 10,
                                      .free_disk_bytes_min = 0,
                                      .file_system = std::move(files)}));
  opened->database_ = TRY(Database::open(std::move(store), opened->clock_));
  return opened;
}

Result<CollectionPtr> Opened::collection() {
  const CatalogPtr catalog = database_->catalog();
  auto place = catalog->find_database("test");
  if (!place) place = TRY(database_->create_database("test"));
  if (auto found = database_->catalog()->find_collection(place->id, "all")) return found;
  IndexSpec index{.name = "by_n", .fields = {{Field::body("n")}}};
  return database_->create_collection(place->id,
                                      {"all", {.keep_feed_for = Span::infinite()}, {index}});
}

Result<void> Opened::commit(std::uint64_t i) {
  const CollectionPtr all = TRY(collection());
  TRY(database_->transact([&](Transaction& t) -> Result<void> {
    for (const char* what : {"left", "right", "both"}) {
      TRY(t.put(all, DocumentKey::of(name_of(what, i % pairs)), TRY(pack_json(body_of(i))), {}));
    }
    TRY(t.put(all, DocumentKey::of(name_of("log", i)), TRY(pack_json(body_of(i))), {}));
    if (i <= log_lines) return {};
    return t.remove(all, DocumentKey::of(name_of("log", i - log_lines)), {});
  }));
  return {};
}

namespace {

using Numbers = std::map<std::string, std::uint64_t>;

Result<Numbers> read_all(Database& database, const CollectionPtr& all) {
  View view = database.view();
  Numbers numbers;
  DocumentRange range{.rows_max = 50};
  for (bool more = true; more;) {
    const DocumentPage page = TRY(view.scan(*all, range, view.live()));
    for (const Document& d : page.documents) {
      const std::string json(d.body.json());
      const std::uint64_t n = std::strtoull(json.c_str() + std::strlen(R"({"n":)"), nullptr, 10);
      if (json != body_of(n)) return fail(Code::internal, "wrong bytes in " + std::string(d.id));
      numbers[std::string(d.id)] = n;
    }
    more = page.next.has_value();
    if (more) range.from = *page.next;
  }
  return numbers;
}

Numbers expected_after(std::uint64_t last) {
  Numbers numbers;
  const std::uint64_t first = last > log_lines ? last - log_lines + 1 : 1;
  for (std::uint64_t i = first; i <= last; ++i) {
    for (const char* what : {"left", "right", "both"}) numbers[name_of(what, i % pairs)] = i;
    numbers[name_of("log", i)] = i;
  }
  return numbers;
}

std::string difference(const Numbers& expected, const Numbers& found) {
  for (const auto& [name, n] : expected) {
    const auto there = found.find(name);
    if (there == found.end()) return fmt::format("'{}' is missing, {} expected", name, n);
    if (there->second != n) return fmt::format("'{}' is {}, not {}", name, there->second, n);
  }
  for (const auto& [name, n] : found) {
    if (!expected.contains(name)) return fmt::format("'{}' is there, of {}", name, n);
  }
  return "";
}

// Checks that the index has as many entries as there are documents, and the feed as many events as
// changes.
Result<std::string> check_sides(Database& database, const CollectionPtr& all,
                                const Numbers& expected, std::uint64_t last) {
  View view = database.view();
  const IndexPage page = TRY(view.scan_index(*all, *all->find_index("by_n"), {}, view.live()));
  if (page.entries.size() != expected.size()) {
    return fmt::format("the index has {} entries", page.entries.size());
  }
  std::uint64_t events = 0;
  FeedPosition after;
  for (bool more = true; more;) {
    const FeedPage report = TRY(database.feed().read(*all, after, 1'000));
    events += report.events.size();
    after = report.last;
    more = report.has_more;
  }
  const std::uint64_t changes = 4 * last + (last > log_lines ? last - log_lines : 0);
  if (events != changes) return fmt::format("{} events, not {}", events, changes);
  return "";
}

}  // namespace

Result<std::uint64_t> Opened::last() {
  std::uint64_t newest = 0;
  for (const auto& [name, n] : TRY(read_all(*database_, TRY(collection())))) {
    newest = std::max(newest, n);
  }
  return newest;
}

Result<std::string> Opened::check(std::uint64_t last) {
  const CollectionPtr all = TRY(collection());
  const Numbers expected = expected_after(last);
  const std::string wrong = difference(expected, TRY(read_all(*database_, all)));
  if (!wrong.empty()) return wrong;
  for (const auto& [name, n] : expected) {
    const auto found = TRY(database_->get(all, DocumentKey::of(name)));
    if (!found || found->body.json() != body_of(n)) return "a point read lacks " + name;
  }
  return check_sides(*database_, all, expected, last);
}

int in_child(const std::function<int()>& work) {
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    // A stop prints its reason, which is expected here, so it is kept out of the test's output.
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
    _exit(work());
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int wrong(ChildReport& report, const std::string& why) {
  std::snprintf(report.note, sizeof report.note, "%s", why.c_str());
  return 1;
}

std::shared_ptr<ChildReport> shared_report() {
  void* memory =
      mmap(nullptr, sizeof(ChildReport), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  return {::new (memory) ChildReport, [](ChildReport* report) { munmap(report, sizeof *report); }};
}

ScratchDirectory::ScratchDirectory(const std::string& name) {
  const char* fastest = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  path_ = fmt::format("{}/mayfly-{}-{}", fastest, name, getpid());
  clear();
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void ScratchDirectory::clear() {
  fs::remove_all(path_);
  fs::create_directories(path_);
}

}  // namespace mayfly::crash
