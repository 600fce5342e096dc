/** What this browser tab remembers, so that a reload at the door costs no time: the event, and whether the code was accepted. */
import * as z from 'zod/mini';

const KEY = 'door';
const memory = z.object({ eventId: z.string(), isOpen: z.boolean() });

export function rememberDoor(eventId: string, isOpen: boolean) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ eventId, isOpen }));
  } catch {
    // Without storage a reload asks for the code again.
  }
}

export function lastDoor(): z.infer<typeof memory> | null {
  try {
    const stored = memory.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
    return stored.success ? stored.data : null;
  } catch {
    return null;
  }
}

export function isDoorOpen(eventId: string): boolean {
  const door = lastDoor();
  return door !== null && door.isOpen && door.eventId === eventId;
}
