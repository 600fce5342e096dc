/**
 * What the holder's device keeps of an order, so that its tickets open at a door without a network: what the page shows, and nothing
 * beyond. In the browser's cache, under the page's address.
 */
import * as z from 'zod/mini';
import { type Confirmation, checkoutSession, confirmedTicket } from '#contract/checkout.ts';

const CACHE = 'tickets';

// Entries from before tickets had positions stay readable.
const storedTickets = z.pipe(
  z.array(z.partial(confirmedTicket, { position: true, of: true })),
  z.transform((tickets) =>
    tickets.map(({ position, of, ...ticket }, index) => ({
      ...ticket,
      position: position ?? index + 1,
      of: of ?? tickets.length,
    })),
  ),
);

const stored = z.object({
  until: z.string(),
  seenAt: z.string(),
  /** Null after "Remove": then the next look at the page keeps nothing either. */
  confirmation: z.nullable(z.extend(checkoutSession.reply, { confirmationData: storedTickets })),
});

export interface KeptTickets {
  seenAt: Date;
  confirmation: Confirmation;
}

export const savedOnDevice = 'Saved on this device';

export type Keeping = 'kept' | 'forgotten' | 'impossible';

/** Keeps what was just seen, unless its holder wants it forgotten. */
export function keepSeen(sessionId: string, seen: Confirmation): Promise<Keeping> {
  return orImpossible(async (cache) => {
    const known = await read(cache, sessionId);
    return write(cache, sessionId, { seen, isKept: known?.confirmation !== null });
  });
}

/** The holder's own word on it, which lasts. */
export function chooseKeeping(sessionId: string, seen: Confirmation, isKept: boolean): Promise<Keeping> {
  return orImpossible((cache) => write(cache, sessionId, { seen, isKept }));
}

/** The tickets are no more, or nobody may see them here any more. */
export async function dropKept(sessionId: string): Promise<void> {
  await orImpossible((cache) => cache.delete(addressOf(sessionId)));
}

export async function keptTickets(sessionId: string): Promise<KeptTickets | null> {
  const found = await orImpossible((cache) => read(cache, sessionId));
  if (!found || found === 'impossible' || found.confirmation === null) return null;
  return { seenAt: new Date(found.seenAt), confirmation: found.confirmation };
}

/** To be done by our own pages: a browser runs no code of ours while none of them is open. */
export async function dropOutdated(now: Date): Promise<void> {
  await orImpossible(async (cache) => {
    for (const address of await cache.keys()) {
      const found = parsed(await (await cache.match(address))?.text());
      if (!found || new Date(found.until) <= now) await cache.delete(address);
    }
  });
}

const addressOf = (sessionId: string) => `/success?${new URLSearchParams({ session_id: sessionId }).toString()}`;

async function read(cache: Cache, sessionId: string): Promise<z.infer<typeof stored> | null> {
  return parsed(await (await cache.match(addressOf(sessionId)))?.text());
}

function parsed(text: string | undefined): z.infer<typeof stored> | null {
  if (text === undefined) return null;
  const found = stored.safeParse(JSON.parse(text));
  return found.success ? found.data : null;
}

async function write(
  cache: Cache,
  sessionId: string,
  { seen, isKept }: { seen: Confirmation; isKept: boolean },
): Promise<Keeping> {
  const until = seen.order?.openUntil;
  if (until === undefined) return 'impossible';
  const confirmation = isKept ? seen : null;
  const content: z.infer<typeof stored> = { until, seenAt: new Date().toISOString(), confirmation };
  await cache.put(addressOf(sessionId), new Response(JSON.stringify(content)));
  return isKept ? 'kept' : 'forgotten';
}

/** Private windows and full phones keep nothing; the page works the same while there is a network. */
async function orImpossible<Done>(work: (cache: Cache) => Promise<Done>): Promise<Done | 'impossible'> {
  try {
    return await work(await caches.open(CACHE));
  } catch {
    return 'impossible';
  }
}
