// Events of a collection as they happen, and the subscriptions of its database.
import { segments } from '../../app/router';
import { FeedSection } from './feed';
import { Subscriptions } from './subscriptions';

export function Events() {
  const [, database, collection] = segments();
  return (
    <>
      <h1>Events</h1>
      {collection === undefined && (
        <p class="hint">Choose a collection on the left to see its events as they happen.</p>
      )}
      {database !== undefined && collection !== undefined && (
        <FeedSection key={`${database}/${collection}`} database={database} collection={collection} />
      )}
      {database !== undefined && <Subscriptions key={database} database={database} />}
    </>
  );
}
