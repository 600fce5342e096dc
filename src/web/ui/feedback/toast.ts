/**
 * Toasts at the top right. The library loads on the first interaction or the first toast, since most visits to a public
 * page show none. If it can't load in time, toasts use a plain fallback so none gets lost.
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
  /** Null until the library has loaded. */
  Region: Library['ToastRegion'] | null;
  /** Toasts shown by the fallback. */
  plain: readonly PlainToast[];
}

const LOAD_TIMEOUT_MS = 3000;

let toasts: Toasts = { Region: null, plain: [] };
let loading: Promise<Library> | undefined;
let arrived: Library | null = null;
/** Runs once for all toasts that wait for the same request. */
let timeout: Promise<null> | undefined;
let plainCount = 0;
const standingErrors = new Set<string | number>();
const watchers = new Set<() => void>();

export const toast = {
  /** Polite announcement; a repeated success shows once. */
  success: (msg: string) => void show('success', msg),
  /** Assertive announcement; errors always show, even repeated ones. */
  error: (msg: string) => void show('error', msg),
  /** Dismisses errors that have been fixed. */
  clearErrors(): void {
    if (toasts.plain.length > 0) update({ plain: toasts.plain.filter(({ kind }) => kind !== 'error') });
    for (const id of standingErrors) arrived?.toast.dismiss(id);
    standingErrors.clear();
  },
  dismissPlain: (id: number) => update({ plain: toasts.plain.filter((shown) => shown.id !== id) }),
};

async function show(kind: Kind, msg: string): Promise<void> {
  const library = arrived ?? (await libraryInTime());
  // Two containers would overlap in the same corner.
  if (!library || toasts.plain.length > 0) {
    plainCount += 1;
    update({ plain: [...toasts.plain, { id: plainCount, kind, msg }] });
    dismissLater(plainCount);
  } else if (kind === 'error') {
    standingErrors.add(library.toast.error(msg, { role: 'alert' }));
  } else {
    library.toast.success(msg, { role: 'status', toastId: `success-${msg.replace(/\W+/g, '-')}` });
  }
}

function libraryInTime(): Promise<Library | null> {
  timeout ??= new Promise((resolve) => setTimeout(() => resolve(null), LOAD_TIMEOUT_MS));
  return Promise.race([loadToasts(), timeout]);
}

/** Like the library, pauses the timer on hover and focus. */
function dismissLater(id: number): void {
  setTimeout(() => {
    if (document.querySelector('#toasts :is(:hover, :focus)')) dismissLater(id);
    else toast.dismissPlain(id);
  }, TOAST_MS);
}

/** One promise for all toasts, which keeps their order. A failure is discarded, so the next toast tries again. */
export async function loadToasts(): Promise<Library | null> {
  loading ??= loadCode(() => import('./ToastRegion.tsx'));
  try {
    arrived = await loading;
    if (!toasts.Region) update({ Region: arrived.ToastRegion });
  } catch {
    loading = undefined;
    timeout = undefined;
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
  for (const notify of watchers) notify();
}
