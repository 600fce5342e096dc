/**
 * Short messages at the top right. The library that shows them loads with the first touch of the page or the first
 * message: most visits to a public page show no toast, and should not pay for one.
 * Where the network does not deliver the library in time, messages are shown without it: none may get lost.
 */
import { loadCode } from '#web/load-code.ts';
import type * as ToastLibrary from './ToastRegion.tsx';
import { TOAST_MS } from './toast-parts.tsx';

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
let arrived: Library | null = null;
/** Once for all messages that wait for the same request. */
let patience: Promise<null> | undefined;
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
    for (const id of standingErrors) arrived?.toast.dismiss(id);
    standingErrors.clear();
  },
  dismissPlain: (id: number) => update({ plain: toasts.plain.filter((shown) => shown.id !== id) }),
};

async function show(kind: Kind, msg: string): Promise<void> {
  const library = arrived ?? (await libraryInTime());
  // Two regions in one corner would lie over each other.
  if (!library || toasts.plain.length > 0) {
    plainCount += 1;
    update({ plain: [...toasts.plain, { id: plainCount, kind, msg }] });
    dismissLater(plainCount);
  } else if (kind === 'error') {
    standingErrors.add(library.toast.error(msg, { role: 'alert' }));
  } else {
    library.toast.success(msg, { role: 'status', toastId: `said-${msg.replace(/\W+/g, '-')}` });
  }
}

function libraryInTime(): Promise<Library | null> {
  patience ??= new Promise((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));
  return Promise.race([loadToasts(), patience]);
}

/** As in the library, time stands still while a message is pointed at or has the focus. */
function dismissLater(id: number): void {
  setTimeout(() => {
    if (document.querySelector('#toasts :is(:hover, :focus)')) dismissLater(id);
    else toast.dismissPlain(id);
  }, TOAST_MS);
}

/** One promise for all messages, which keeps their order. A failure is forgotten, so that the next message tries again. */
export async function loadToasts(): Promise<Library | null> {
  loading ??= loadCode(() => import('./ToastRegion.tsx'));
  try {
    arrived = await loading;
    if (!toasts.Region) update({ Region: arrived.ToastRegion });
  } catch {
    loading = undefined;
    patience = undefined;
  }
  return arrived;
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
