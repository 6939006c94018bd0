// The defects that a test plants, to see that the simulation finds them. They lie in what the
// product is handed (its store), never in the product.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mayfly::simulate {

enum class Plant {
  none,
  index_ignores_death,       // index entries say that they never die
  sweeper_believes_queue,    // a queue row outlives its version, and is taken for the next one's
  clock_steps_back,          // the clock's floor does not reach the disk
  compaction_eats_history,   // compaction drops versions that history still shows
  end_is_told_twice,         // a recorded end stays in its queue
  sync_is_a_lie,             // what was synced is lost in a crash all the same
  sweeper_ignores_holds,     // who is held in the trash leaves it all the same
  index_forgets_its_past,    // what leaves an index is not kept
  purge_goes_unrecorded,     // what the sweeper purges is not recorded
  guards_are_ignored,        // a transaction that has lost a race commits all the same
  validation_sees_the_past,  // what a transaction that commits nothing has read counts as unchanged
  cursors_lose_their_snapshot,  // a page of FQL shows what is there by now
  unreadable_is_empty,          // a read that fails says that there is nothing
  ledger_misses_removals,       // what has left a collection is still counted
  dropped_rows_go_at_once       // rows of a dropped collection go while a view still reads them
};

// Those that are found within a few seeds. To meet what validation and erasing under a view are
// about takes more: for them there are ValidationTest and DroppedRows (db/).
inline constexpr Plant all_plants[] = {
    Plant::index_ignores_death,    Plant::sweeper_believes_queue,
    Plant::clock_steps_back,       Plant::compaction_eats_history,
    Plant::end_is_told_twice,      Plant::sync_is_a_lie,
    Plant::sweeper_ignores_holds,  Plant::purge_goes_unrecorded,
    Plant::guards_are_ignored,     Plant::unreadable_is_empty,
    Plant::index_forgets_its_past, Plant::cursors_lose_their_snapshot,
    Plant::ledger_misses_removals};

std::string_view name_of(Plant plant);
std::optional<Plant> plant_named(std::string_view name);

}  // namespace mayfly::simulate
