/** The websites that may show an event's tickets. See docs/decisions/0099. */
import type { EventEmbed, editEmbed as endpoint } from '#contract/app/programs/embed.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { EMBED_SITES_MAX, isEmbedSite } from '#domain/embed/sites.ts';
import { embedSnippet } from '#messages/programs/embed.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { eventUrl } from '#server/events/event-url.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { addEmbedOrigin, embedRow, removeEmbedOrigin } from './embed.sql.ts';

type EmbedDeps = Pick<Deps, 'db' | 'clock' | 'takesRealMoney'>;

export async function readEmbed(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  actor: Actor,
  eventId: string,
): Promise<EventEmbed> {
  await authorizeEvent(deps, actor, 'event.edit', eventId);
  const { embedOrigins, isPublished } = await embedRow(deps.db, eventId);
  return {
    sites: embedOrigins,
    snippet: embedSnippet({ publicUrl: deps.publicUrl, eventId, eventUrl: eventUrl(deps, eventId) }),
    isDraft: !isPublished,
  };
}

/** Idempotent, also for events that no longer sell: their pages stay where they are. */
export async function editEmbed(
  deps: EmbedDeps,
  actor: Actor,
  { eventId, add, remove }: InputOf<typeof endpoint>,
): Promise<{ sites: string[] }> {
  await authorizeEvent(deps, actor, 'event.edit', eventId);
  const origin = add === undefined ? null : originOf(add, deps);
  return inTransaction(deps.db, async (tx) => {
    const isRemoved = remove !== undefined && (await removeEmbedOrigin(tx, eventId, remove));
    const isAdded = origin !== null && (await addOrigin(tx, eventId, origin));
    const subject = { subject: eventId, eventId, at: deps.clock.now() };
    if (isAdded || isRemoved) await recordAuditEvent(tx, { action: 'edit-embed-sites', by: actor, ...subject });
    return { sites: (await embedRow(tx, eventId)).embedOrigins };
  });
}

/** In the form that browsers compare. An address may end in a slash, as copied ones do. */
function originOf(typed: string, deps: Pick<Deps, 'takesRealMoney'>): string {
  const site = typed.trim();
  const isSite = /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(site) && URL.canParse(site);
  const origin = isSite ? new URL(site).origin : '';
  if (!isEmbedSite(origin, deps)) throw new AppError('embed.origin-invalid');
  return origin;
}

async function addOrigin(tx: Db, eventId: string, origin: string): Promise<boolean> {
  const isAdded = await addEmbedOrigin(tx, eventId, { origin, max: EMBED_SITES_MAX });
  if (!isAdded && !(await embedRow(tx, eventId)).embedOrigins.includes(origin)) throw new AppError('embed.too-many');
  return isAdded;
}
