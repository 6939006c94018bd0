// Collections: all databases, one of them, or the policy of one collection.
import { segments } from '../../app/router';
import { AllDatabases, OneDatabase } from './databases';
import { OneCollection } from './collection';

export function Collections() {
  const [, database, collection] = segments();
  if (database === undefined) return <AllDatabases />;
  if (collection === undefined) return <OneDatabase key={database} database={database} />;
  return <OneCollection key={`${database}/${collection}`} database={database} collection={collection} />;
}
