// What to do first, while the server has no database.
import { key } from '../../api/client';

function commandsOf(): string {
  const curl = `curl -w '\\n'${key.value ? " -H 'Authorization: Bearer KEY'" : ''}`;
  const app = `${location.origin}/v1/databases/app`;
  return [
    `${curl} -X PUT ${app}`,
    `${curl} -X PUT ${app}/collections/sessions`,
    `${curl} -X PUT '${app}/collections/sessions/documents/s1?ttl=3600' \\\n  --json '{"user": "ada"}'`,
  ].join('\n');
}

export function FirstDatabase() {
  return (
    <section aria-labelledby="start">
      <h2 id="start">There is no database yet</h2>
      <p>These commands create one, with a collection and a document that expires in an hour. Then it appears here.</p>
      <pre tabIndex={0} role="region" aria-label="Commands">{commandsOf()}</pre>
    </section>
  );
}
