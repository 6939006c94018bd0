// A dialog that asks before something is done.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
}

export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current!.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps extends DialogProps {
  action: string;  // the word on the button
  isDangerous?: boolean;
  onConfirm: () => void;
}

export function Confirm({ title, children, action, isDangerous, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="actions">
        <button type="button" onClick={onClose}>Cancel</button>
        <button type="button" class={isDangerous ? 'danger' : 'main'} onClick={onConfirm}>{action}</button>
      </div>
    </Dialog>
  );
}
