import { ticketFile as text } from '#messages/sales/ticket-files.ts';
import { readCoverOrPoster } from '#server/events/photos/read-photo.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { FileDownload } from '#server/platform/http/mount-file.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { readOrderTickets } from './order-tickets.ts';
import { COVER, ticketsPdf } from './tickets-pdf.ts';

/** Rendered for each request, from the order as it is now. */
export async function downloadTickets(
  deps: Pick<Deps, 'db' | 'appSecret' | 'clock' | 'rateLimiter' | 'photos' | 'publicUrl'>,
  { token }: { token: string },
): Promise<FileDownload> {
  const found = await readOrderTickets(deps, token);
  await consumeLimit(deps.rateLimiter, 'tickets-pdf', found.order.orderId);
  const { eventId, title } = found.order;
  const cover = await readCoverOrPoster(deps, eventId, COVER);
  const pdf = await ticketsPdf({ ...found, cover, eventUrl: `${deps.publicUrl}/payment/${eventId}` });
  return { fileName: `${text.tickets(title)}.pdf`, chunks: [pdf] };
}
