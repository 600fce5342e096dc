/**
 * Short messages at the top right. The library that shows them loads with the first touch of the page or the first
 * message: most visits to a public page show no toast, and should not pay for one.
 * Where the network does not deliver the library in time, messages are shown without it: none may get lost.
 */
import { loadCode } from '#web/load-code.ts';
import type * as ToastLibrary from './ToastRegion.tsx';

type Library = typeof ToastLibrary;
type Kind = 'success' | 'error';

export interface PlainToast {
  id: number;
  kind: Kind;
  msg: string;
}

export interface Toasts {
  /** Null until the library is there. */
  Region: Library['ToastRegion'] | null;
  /** What the library did not come in time to show. */
  plain: readonly PlainToast[];
}

const PATIENCE_MS = 3000;

let toasts: Toasts = { Region: null, plain: [] };
let loading: Promise<Library> | undefined;
let plainCount = 0;
const standingErrors = new Set<string | number>();
const watchers = new Set<() => void>();

export const toast = {
  /** Said politely; a repeated success is one message. */
  success: (msg: string) => void show('success', msg),
  /** Said at once; every error stands, also when it is the same sentence twice. */
  error: (msg: string) => void show('error', msg),
  /** What was wrong has been put right. */
  clearErrors(): void {
    if (toasts.plain.length > 0) update({ plain: toasts.plain.filter(({ kind }) => kind !== 'error') });
    if (standingErrors.size === 0) return;
    void loading?.then((library) => {
      for (const id of standingErrors) library.toast.dismiss(id);
      standingErrors.clear();
    });
  },
  dismissPlain: (id: number) => update({ plain: toasts.plain.filter((shown) => shown.id !== id) }),
};

async function show(kind: Kind, msg: string): Promise<void> {
  const library = await Promise.race([loadToasts(), nothingAfter(PATIENCE_MS)]);
  if (!library) {
    plainCount += 1;
    update({ plain: [...toasts.plain, { id: plainCount, kind, msg }] });
  } else if (kind === 'error') {
    standingErrors.add(library.toast.error(msg, { role: 'alert' }));
  } else {
    library.toast.success(msg, { role: 'status', toastId: `said-${msg.replace(/\W+/g, '-')}` });
  }
}

/** One promise for all messages, which keeps their order. A failure is forgotten, so that the next message tries again. */
export async function loadToasts(): Promise<Library | null> {
  loading ??= loadCode(() => import('./ToastRegion.tsx'));
  try {
    const library = await loading;
    if (!toasts.Region) update({ Region: library.ToastRegion });
    return library;
  } catch {
    loading = undefined;
    return null;
  }
}

export const currentToasts = (): Toasts => toasts;

export function watchToasts(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

function update(change: Partial<Toasts>): void {
  toasts = { ...toasts, ...change };
  for (const tell of watchers) tell();
}

const nothingAfter = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms));
