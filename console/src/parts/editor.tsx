// A field for longer text in a language. It is a plain text area until the editor is loaded, and if that fails.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Core, EditorLanguage } from './editor_core';

interface EditorProps {
  value: string;
  onChange?: (text: string) => void;
  label: string;
  language: EditorLanguage;
  isReadOnly?: boolean;
  // The position of an error in the text. The page says beside the editor what is wrong.
  errorAt?: number;
  // Suggested while the user types. Pass the same array as long as it does not change.
  words?: string[];
  // Ctrl+Enter.
  onSubmit?: () => void;
}

type CoreModule = typeof import('./editor_core');

const no_words: string[] = [];
let loading: Promise<CoreModule> | undefined;

// A failed load is tried again by the next editor.
function loadCore(): Promise<CoreModule> {
  loading ??= import('./editor_core').catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

function settingsOf({ label, language, isReadOnly = false, words = no_words }: EditorProps) {
  return { label, language, isReadOnly, words };
}

// `focusAt`: where the user was in the text area that this replaces.
function CodeEditor({ module, focusAt, ...props }: EditorProps & { module: CoreModule; focusAt?: number }) {
  const host = useRef<HTMLDivElement>(null);
  const core = useRef<Core>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useLayoutEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const created = module.createEditor({
      root,
      value: props.value,
      settings: settingsOf(props),
      onChange: (text) => latest.current.onChange?.(text),
      onSubmit: () => {
        latest.current.onSubmit?.();
        return latest.current.onSubmit !== undefined;
      },
    });
    core.current = created;
    if (focusAt !== undefined) created.focus(focusAt);
    return () => created.destroy();
  }, []);
  // Before the next key: later, the text of an earlier one would replace what the user has typed since.
  useLayoutEffect(() => core.current!.setText(props.value), [props.value]);
  useLayoutEffect(
    () => core.current!.configure(settingsOf(props)),
    [props.label, props.language, props.isReadOnly, props.words],
  );
  useLayoutEffect(() => core.current!.showError(props.errorAt), [props.errorAt]);
  return <div ref={host} class="editor" />;
}

function submitOnKey(event: KeyboardEvent, onSubmit?: () => void) {
  if (!onSubmit || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  onSubmit();
}

export function Editor(props: EditorProps) {
  const plain = useRef<HTMLTextAreaElement>(null);
  const [loaded, setLoaded] = useState<{ module: CoreModule; focusAt?: number }>();
  useEffect(() => {
    let isShown = true;
    loadCore().then(
      (module) => {
        const area = plain.current;
        const focusAt = area && document.activeElement === area ? area.selectionStart : undefined;
        if (isShown) setLoaded({ module, focusAt });
      },
      () => {},
    );
    return () => {
      isShown = false;
    };
  }, []);
  if (loaded) return <CodeEditor {...props} {...loaded} />;
  return (
    <textarea
      ref={plain}
      class="editor"
      aria-label={props.label}
      aria-invalid={props.errorAt !== undefined}
      rows={14}
      spellcheck={false}
      readOnly={props.isReadOnly}
      value={props.value}
      onInput={(event) => props.onChange?.(event.currentTarget.value)}
      onKeyDown={(event) => submitOnKey(event, props.onSubmit)}
    />
  );
}
