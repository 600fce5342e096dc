/** Verifies a draw in the browser: the published key is the one whose hash was known before, and it gives this position. */
import type { PublicDraw } from '#contract/app/waiting-room.ts';
import { shuffleSteps } from '#domain/waiting-room.ts';
import type { DrawNote } from './draw-note.ts';

export interface DrawCheck {
  /** The position that the key gives. */
  recalculated: number;
  isMatch: boolean;
}

/** Null while the key is secret. */
export async function checkDraw(note: DrawNote, { key, before, size }: PublicDraw): Promise<DrawCheck | null> {
  if (key === null || size === null) return null;
  const bytes = bytesOf(key);
  const recalculated =
    note.arrival > before + size ? note.arrival : before + (await shuffled(note.arrival - before, size, bytes));
  const isOfHash = hexOf(await crypto.subtle.digest('SHA-256', bytes)) === note.hash;
  return { recalculated, isMatch: isOfHash && recalculated === note.position };
}

async function shuffled(arrival: number, size: number, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const shuffle = shuffleSteps(arrival, size);
  let step = shuffle.next();
  while (!step.done) {
    const [round, value] = step.value;
    const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${round} ${value}`));
    step = shuffle.next(new DataView(mac).getUint32(0));
  }
  return step.value;
}

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const hexOf = (buffer: ArrayBuffer) =>
  [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
