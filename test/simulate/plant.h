// Defects that a test plants, to see that the simulation finds them. They are in what the product
// is given (its store), never in the product.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mayfly::simulate {

enum class Plant {
  none,
  index_ignores_death,       // index entries say that they never expire
  sweeper_believes_queue,    // a queue row outlives its version, and is used for the next version
  clock_steps_back,          // the clock's floor does not reach the disk
  compaction_eats_history,   // compaction drops versions that history still shows
  end_is_told_twice,         // a recorded end stays in its queue
  sync_is_a_lie,             // synced commits are lost in a crash
  sweeper_ignores_holds,     // held documents leave the trash
  index_forgets_its_past,    // entries that leave an index are not kept
  purge_goes_unrecorded,     // purges by the sweeper are not recorded
  guards_are_ignored,        // a transaction that has lost a race commits
  validation_sees_the_past,  // reads of a transaction that commits nothing count as unchanged
  cursors_lose_their_snapshot,  // a page of FQL shows the present documents
  unreadable_is_empty,          // a read that fails returns nothing
  feed_loses_its_rows,          // compaction drops rows of queues of which the feed is made
  ledger_misses_removals,       // documents that have left a collection are still counted
  dropped_rows_go_at_once  // rows of a dropped collection are erased while a view still reads them
};

// The defects that are found within a few seeds. Situations that need validation, or erasing under
// an open view, are rarer: for these there are ValidationTest and DroppedRows (db/).
inline constexpr Plant all_plants[] = {
    Plant::index_ignores_death,    Plant::sweeper_believes_queue,
    Plant::clock_steps_back,       Plant::compaction_eats_history,
    Plant::end_is_told_twice,      Plant::sync_is_a_lie,
    Plant::sweeper_ignores_holds,  Plant::purge_goes_unrecorded,
    Plant::guards_are_ignored,     Plant::unreadable_is_empty,
    Plant::index_forgets_its_past, Plant::cursors_lose_their_snapshot,
    Plant::ledger_misses_removals, Plant::feed_loses_its_rows};

std::string_view name_of(Plant plant);
std::optional<Plant> plant_named(std::string_view name);

}  // namespace mayfly::simulate
