// Asks for a key. It is kept in memory only.
import { useState } from 'preact/hooks';

import { ApiError, get, key, needsKey } from '../../api/client';
import { ErrorNote } from '../../parts/notes';

export function Login({ onLogin }: { onLogin: () => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<Error>();
  const logIn = async (event: Event) => {
    event.preventDefault();
    try {
      if (!/^[\x21-\x7e]+$/.test(text)) throw new ApiError(401, 'unauthenticated', '');
      key.value = text;
      await get('/v1');
      needsKey.value = false;
      onLogin();
    } catch (failure) {
      key.value = '';
      const isWrong = failure instanceof ApiError && failure.status === 401;
      setError(isWrong ? new Error('The server does not know this key.') : (failure as Error));
    }
  };
  return (
    <form class="login" onSubmit={logIn}>
      <h1>This server asks for a key</h1>
      <p class="hint">One of <code>auth.keys</code>. It is forgotten when you close or reload this page.</p>
      <label>Key <input type="password" autocomplete="off" value={text} onInput={(event) => setText(event.currentTarget.value)} required /></label>
      <button type="submit" class="main">Log in</button>
      {error && <ErrorNote error={error} />}
    </form>
  );
}
