/**
 * Saves an order's tickets on the buyer's device, so that they open offline at the door. Stored in the browser's Cache API under the
 * page's path and query, with no more data than the page shows.
 */
import * as z from 'zod/mini';
import { type Confirmation, checkoutSession, confirmedTicket } from '#contract/app/checkout.ts';

const CACHE = 'tickets';

// Older entries lack positions and prices.
const storedTickets = z.pipe(
  z.array(z.partial(confirmedTicket, { position: true, of: true, priceCents: true })),
  z.transform((tickets) =>
    tickets.map(({ position, of, priceCents, ...ticket }, index) => ({
      ...ticket,
      priceCents: priceCents ?? 0,
      position: position ?? index + 1,
      of: of ?? tickets.length,
    })),
  ),
);

const stored = z.object({
  until: z.string(),
  seenAt: z.string(),
  /** Null after "Remove": the next visit then saves nothing either. */
  confirmation: z.nullable(z.extend(checkoutSession.reply, { confirmationData: storedTickets })),
});

export interface SavedTickets {
  seenAt: Date;
  confirmation: Confirmation;
}

export type SaveState = 'saved' | 'removed' | 'unavailable';

/**
 * Saves the tickets, unless the buyer removed them before.
 *
 * @param opened where the page was opened. Earlier versions saved the tickets there.
 */
export function saveTickets(page: string, opened: string, confirmation: Confirmation): Promise<SaveState> {
  return withCache(async (cache) => {
    const previous = (await read(cache, page)) ?? (await read(cache, opened));
    if (opened !== page) await cache.delete(opened);
    return write(cache, page, { confirmation, isSaved: previous?.confirmation !== null });
  });
}

/** The buyer's choice, which persists. */
export function setTicketsSaved(page: string, confirmation: Confirmation, isSaved: boolean): Promise<SaveState> {
  return withCache((cache) => write(cache, page, { confirmation, isSaved }));
}

/** Called when the tickets no longer exist or the link has expired. */
export async function removeSavedTickets(pages: readonly string[]): Promise<void> {
  await withCache((cache) => Promise.all(pages.map((page) => cache.delete(page))));
}

export async function readSavedTickets(page: string): Promise<SavedTickets | null> {
  const found = await withCache((cache) => read(cache, page));
  if (!found || found === 'unavailable' || found.confirmation === null) return null;
  return { seenAt: new Date(found.seenAt), confirmation: found.confirmation };
}

/** Run on page load: browsers run none of our code while no page is open. */
export async function removeExpiredTickets(now: Date): Promise<void> {
  await withCache(async (cache) => {
    for (const saved of await cache.keys()) {
      const found = parsed(await (await cache.match(saved))?.text());
      if (!found || new Date(found.until) <= now) await cache.delete(saved);
    }
  });
}

async function read(cache: Cache, page: string): Promise<z.infer<typeof stored> | null> {
  return parsed(await (await cache.match(page))?.text());
}

function parsed(text: string | undefined): z.infer<typeof stored> | null {
  if (text === undefined) return null;
  const found = stored.safeParse(JSON.parse(text));
  return found.success ? found.data : null;
}

async function write(
  cache: Cache,
  page: string,
  { confirmation, isSaved }: { confirmation: Confirmation; isSaved: boolean },
): Promise<SaveState> {
  const until = confirmation.order?.openUntil;
  if (until === undefined) return 'unavailable';
  const content: z.infer<typeof stored> = {
    until,
    seenAt: new Date().toISOString(),
    confirmation: isSaved ? confirmation : null,
  };
  await cache.put(page, new Response(JSON.stringify(content)));
  return isSaved ? 'saved' : 'removed';
}

/** Private windows and full devices refuse storage; the page still works online. */
async function withCache<Done>(work: (cache: Cache) => Promise<Done>): Promise<Done | 'unavailable'> {
  try {
    return await work(await caches.open(CACHE));
  } catch {
    return 'unavailable';
  }
}
