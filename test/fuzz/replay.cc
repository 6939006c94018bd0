// Runs a target on every input of its corpus, and on some hundreds of changed forms of each, which
// are the same in every run.
//
//   fuzz_TARGET_replay CORPUS_DIRECTORY [FORMS] | FILE...      a file also in one grown form
//
// If a property does not hold, the input is left in ./fuzz_found, and a message says so.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace mayfly::fuzz {
namespace {

constexpr int forms_of_each = 300;
constexpr int grown_of_each = 2;
constexpr const char* found_file = "fuzz_found";

struct Kept {
  std::string name;
  Bytes input;
};

// What is being run, for the moment in which the program dies of it.
std::string running;
BytesView running_input;

void tell_what_ran() {
  std::fprintf(stderr, "while running %s\n", running.c_str());
  std::ofstream file(found_file, std::ios::binary);
  file.write(running_input.data(), static_cast<std::streamsize>(running_input.size()));
  file.close();
  std::fprintf(stderr, "its %zu bytes are in ./%s\n", running_input.size(), found_file);
}

void on_abort(int) {
  tell_what_ran();
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

void tell_what_ran_at_death() {
  std::signal(SIGABRT, on_abort);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  __sanitizer_set_death_callback(tell_what_ran);
#endif
}

void run_named(std::string name, BytesView input) {
  running = std::move(name);
  running_input = input;
  run_within_bounds(input);
}

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Kept> read_corpus(const std::filesystem::path& directory) {
  std::vector<Kept> kept;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    kept.push_back({entry.path().filename().string(), read_file(entry.path())});
  }
  std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.name < b.name; });
  return kept;
}

void replay(const std::vector<Kept>& corpus, int forms) {
  for (const Kept& kept : corpus) {
    run_named(kept.name, kept.input);
    Random random(seed_of(kept.input));
    for (int i = 0; i < forms; ++i) {
      const Kept& other = corpus[random.below(corpus.size())];
      const Bytes changed = mutated(kept.input, other.input, random);
      run_named(fmt::format("{}, changed form {}", kept.name, i), changed);
    }
    for (int i = 0; i < grown_of_each; ++i) {
      run_named(fmt::format("{}, grown form {}", kept.name, i), grown(kept.input, random));
    }
  }
  std::printf("%zu inputs and %zu forms of them: every property held, in %.1f s\n", corpus.size(),
              corpus.size() * static_cast<std::size_t>(forms + grown_of_each),
              static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
}

void replay_one(const std::string& path) {
  const Bytes input = read_file(path);
  run_named(path, input);
  Random random(seed_of(input));
  run_named(path + ", grown form", grown(input, random));
}

}  // namespace
}  // namespace mayfly::fuzz

int main(int count, char** arguments) {
  using namespace mayfly;
  fuzz::tell_what_ran_at_death();
  const std::vector<std::string> paths(arguments + 1, arguments + count);
  if (paths.empty()) {
    std::fprintf(stderr, "usage: %s CORPUS_DIRECTORY [FORMS] | FILE...\n", arguments[0]);
    return 2;
  }
  if (!std::filesystem::is_directory(paths.front())) {
    for (const std::string& path : paths) fuzz::replay_one(path);
    return 0;
  }
  const std::vector<fuzz::Kept> corpus = fuzz::read_corpus(paths.front());
  if (corpus.empty()) {
    std::fprintf(stderr, "no input is kept in %s\n", paths.front().c_str());
    return 1;
  }
  fuzz::replay(corpus, paths.size() > 1 ? std::atoi(paths[1].c_str()) : fuzz::forms_of_each);
  return 0;
}
