import type { trackingLinks } from '#contract/app/records/links.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { bySplit } from '#domain/reports/sales-report.ts';
import { linkAddress } from '#domain/reports/tracking-links.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { eventUrl } from '#server/events/event-url.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { salesCells } from './read-sales.ts';
import { eventToReport, linkRows } from './sales.sql.ts';

/** With what each brought, as the sales report counts it. */
export async function listTrackingLinks(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  actor: Actor,
  { eventId }: InputOf<typeof trackingLinks>,
): Promise<ReplyOf<typeof trackingLinks>> {
  await authorizeEvent(deps, actor, 'sales.view', eventId);
  const event = await eventToReport(deps.db, eventId);
  if (!event) throw new AppError('event.not-found');
  const rows = await linkRows(deps.db, eventId);
  const cells = rows.length > 0 ? await salesCells(deps.db, { eventId, timezone: event.timezone }) : [];
  const sold = new Map(bySplit(cells, 'link').map((part) => [part.id, part]));
  const url = eventUrl(deps, eventId);
  return {
    eventUrl: url,
    mayEdit: isAllowed(actor, 'event.edit'),
    links: rows.map(({ slug, ...link }) => ({
      ...link,
      slug,
      url: linkAddress(url, slug),
      tickets: sold.get(link.linkId)?.tickets ?? 0,
      grossCents: sold.get(link.linkId)?.grossCents ?? 0,
    })),
  };
}
