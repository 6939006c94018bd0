// The editor itself: CodeMirror in a shadow root. editor.tsx loads this file when a page first needs it.
//
// In a shadow root CodeMirror adopts constructed style sheets. In a document it would add a style element, which the
// policy of the console's pages refuses.
import {
  autocompletion, closeBrackets, closeBracketsKeymap, completeFromList, completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { sql, StandardSQL } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, StateEffect, StateField, type Extension, type Text } from '@codemirror/state';
import { Decoration, EditorView, keymap, lineNumbers, type DecorationSet } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export type EditorLanguage = 'json' | 'sql' | 'plain';

export interface EditorSettings {
  label: string;
  language: EditorLanguage;
  isReadOnly: boolean;
  // Suggested while the user types.
  words: string[];
}

export interface CoreOptions {
  root: ShadowRoot;
  value: string;
  settings: EditorSettings;
  onChange: (text: string) => void;
  // Ctrl+Enter; false if it does nothing.
  onSubmit: () => boolean;
}

export interface Core {
  setText: (text: string) => void;
  configure: (settings: EditorSettings) => void;
  // Marks a position of the text; without one, no position.
  showError: (at?: number) => void;
  focus: (at: number) => void;
  destroy: () => void;
}

const languages: Record<EditorLanguage, () => Extension> = {
  json,
  sql: () => sql({ dialect: StandardSQL }),
  plain: () => [],
};

const theme = EditorView.theme({
  '&': { border: '1px solid var(--line)', borderRadius: '6px', fontSize: '.92em' },
  '&, .cm-tooltip': { background: 'var(--back)', color: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--main)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', overflow: 'auto', maxHeight: '60vh' },
  '.cm-content': { caretColor: 'var(--text)', minHeight: '6em' },
  '.cm-gutters': { background: 'var(--panel)', color: 'var(--hint)', borderRight: '1px solid var(--line)' },
  '.cm-tooltip': { border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete.cm-tooltip > ul > li[aria-selected]': {
    background: 'var(--main)',
    color: 'var(--on-main)',
  },
  '.cm-error-line': { background: 'color-mix(in srgb, var(--danger) 12%, transparent)' },
  '.cm-error-at': { outline: '1px solid var(--danger)' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'light-dark(#0b5a8a, #7fc4f0)' },
  { tag: tags.string, color: 'light-dark(#7a3e00, #e8b98a)' },
  { tag: tags.number, color: 'light-dark(#0b6b3a, #8fd6a8)' },
  { tag: [tags.bool, tags.null, tags.keyword], color: 'light-dark(#6a2c91, #cfa5ef)' },
  { tag: tags.comment, color: 'var(--hint)' },
]);

const setError = StateEffect.define<number | undefined>();

function errorMarks(text: Text, at: number | undefined): DecorationSet {
  if (at === undefined || text.length === 0) return Decoration.none;
  const from = Math.min(at, text.length - 1);
  return Decoration.set(
    [
      Decoration.line({ class: 'cm-error-line' }).range(text.lineAt(from).from),
      Decoration.mark({ class: 'cm-error-at' }).range(from, from + 1),
    ],
    true,
  );
}

const errorField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    const asked = transaction.effects.find((effect) => effect.is(setError));
    return asked ? errorMarks(transaction.newDoc, asked.value) : marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function extensionsOf({ label, language, isReadOnly, words }: EditorSettings): Extension {
  const suggestions = completeFromList(words.map((word) => ({ label: word })));
  return [
    languages[language](),
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({ 'aria-label': label, ...(isReadOnly ? { 'aria-readonly': 'true' } : {}) }),
    words.length > 0 ? EditorState.languageData.of(() => [{ autocomplete: suggestions }]) : [],
  ];
}

// What every editor has. Tab leaves the editor, as it leaves any other field.
function commonExtensions({ onChange, onSubmit }: CoreOptions): Extension {
  return [
    keymap.of([{ key: 'Mod-Enter', run: onSubmit }]),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
    lineNumbers(),
    history(),
    bracketMatching(),
    closeBrackets(),
    autocompletion(),
    syntaxHighlighting(colours),
    EditorView.lineWrapping,
    errorField,
    theme,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
  ];
}

export function createEditor(options: CoreOptions): Core {
  const changing = new Compartment();
  const view = new EditorView({
    root: options.root,
    parent: options.root,
    doc: options.value,
    extensions: [changing.of(extensionsOf(options.settings)), commonExtensions(options)],
  });
  return {
    setText: (text) => {
      if (text === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    configure: (settings) => view.dispatch({ effects: changing.reconfigure(extensionsOf(settings)) }),
    showError: (at) => view.dispatch({ effects: setError.of(at) }),
    focus: (at) => {
      view.focus();
      view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) } });
    },
    destroy: () => view.destroy(),
  };
}
