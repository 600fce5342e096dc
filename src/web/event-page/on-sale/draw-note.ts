/** What this browser saw of a draw, so that it can verify the draw later, also after the page was closed. */
import type { PublicDraw } from '#contract/app/waiting-room.ts';

export interface DrawNote {
  /** As published before sales started, if this browser was there. */
  hash: string;
  arrival: number;
  /** Null until the draw. */
  position: number | null;
}

const keyOf = (eventId: string) => `draw:${eventId}`;

/** Keeps the first hash and pass of a draw: a later pass was not drawn. */
export function noteDraw(eventId: string, draw: PublicDraw, pass: Pick<DrawNote, 'arrival' | 'position'>): void {
  const known = notedDraw(eventId);
  const isKnown = known !== null && (draw.size !== null || known.hash === draw.hash);
  if (isKnown && known.arrival !== pass.arrival) return;
  const note: DrawNote = { hash: isKnown ? known.hash : draw.hash, ...pass };
  try {
    localStorage.setItem(keyOf(eventId), JSON.stringify(note));
  } catch {
    // Without storage, nothing is remembered.
  }
}

export function notedDraw(eventId: string): DrawNote | null {
  try {
    const note: unknown = JSON.parse(localStorage.getItem(keyOf(eventId)) ?? 'null');
    return isNote(note) ? note : null;
  } catch {
    return null;
  }
}

function isNote(value: unknown): value is DrawNote {
  if (typeof value !== 'object' || value === null) return false;
  if (!('hash' in value && 'arrival' in value && 'position' in value)) return false;
  const { hash, arrival, position } = value;
  return typeof hash === 'string' && typeof arrival === 'number' && (position === null || typeof position === 'number');
}
