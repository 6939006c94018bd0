// The secret of a new webhook, which the server shows once.
import { useRef, useState } from 'preact/hooks';

interface SecretProps {
  secret: string;
  onClose: () => void;
}

export function Secret({ secret, onClose }: SecretProps) {
  const [isCopied, setIsCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    // Pages that are neither https nor localhost have no clipboard.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    try {
      await clipboard?.writeText(secret);
      if (clipboard) return setIsCopied(true);
    } catch {
      // The user has refused it: the text can still be selected.
    }
    field.current!.select();
    setIsCopied(document.execCommand('copy'));
  };
  return (
    <>
      <p>The subscription is created. Its messages are signed with this secret. Copy it now: it is not shown again.</p>
      <div class="bar">
        <label>Secret <input ref={field} class="mono" readOnly size={44} value={secret} /></label>
        <button type="button" class="main" onClick={copy}>Copy</button>
        <span role="status">{isCopied && 'Copied.'}</span>
      </div>
      <div class="actions"><button type="button" onClick={onClose}>Close</button></div>
    </>
  );
}
