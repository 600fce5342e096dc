import { ticketPosition } from '#messages/format.ts';
import { readCover } from '#server/events/photos/read-photo.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { FileDownload } from '#server/platform/http/mount-file.ts';
import type { WalletTicket } from '#server/platform/ports/wallets.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { readOrderTickets } from './order-tickets.ts';

type WalletDeps = Pick<Deps, 'db' | 'appSecret' | 'clock' | 'rateLimiter' | 'photos' | 'publicUrl' | 'wallets'>;

interface TicketOfOrder {
  token: string;
  /** Position in the order, from 1. */
  ticket: number;
}

/** Twice the size in which a phone shows it. */
const PICTURE = { width: 180, height: 180, format: 'png' } as const;

export async function downloadApplePass(deps: WalletDeps, chosen: TicketOfOrder): Promise<FileDownload> {
  const { apple } = deps.wallets;
  if (!apple) throw new AppError('page.not-found');
  const ticket = await readTicket(deps, chosen);
  const pass = await apple.pass(ticket, await readCover(deps, ticket.eventId, PICTURE));
  return { fileName: `${ticket.title}, ${ticket.position}.pkpass`, chunks: [pass] };
}

/** The address that saves a ticket. */
export async function googleSaveUrl(deps: WalletDeps, chosen: TicketOfOrder): Promise<string> {
  const { google } = deps.wallets;
  if (!google) throw new AppError('page.not-found');
  return google.saveUrl(await readTicket(deps, chosen));
}

async function readTicket(deps: WalletDeps, { token, ticket: position }: TicketOfOrder): Promise<WalletTicket> {
  const { order, tickets, seller } = await readOrderTickets(deps, token);
  const ticket = tickets.find((one) => one.position === position);
  if (!ticket) throw new AppError('order.ticket-ended');
  await consumeLimit(deps.rateLimiter, 'wallet-pass', order.orderId);
  const { eventId, orderId, title, startsAt, endsAt, timezone, street, city, region, postalCode } = order;
  return {
    // A holder's pass must not replace that of the holder before: their phones would show the new code.
    id: [orderId, position, ...(ticket.transferredCount > 0 ? [ticket.transferredCount] : [])].join('-'),
    eventId,
    title,
    seller,
    startsAt,
    endsAt,
    timezone,
    street,
    city,
    state: region,
    postalCode,
    ticketName: ticket.ticketName,
    position: ticketPosition(ticket),
    confirmationNumber: ticket.confirmationNumber,
    eventUrl: `${deps.publicUrl}/payment/${order.eventId}`,
  };
}
