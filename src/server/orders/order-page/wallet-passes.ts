import { type PassKind, passIdOf } from '#domain/sales/wallet-passes.ts';
import { insertPass } from '#server/orders/wallets/passes.sql.ts';
import { readPass, signApplePass, walletTicket } from '#server/orders/wallets/wallet-pass.ts';
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

export async function downloadApplePass(deps: WalletDeps, chosen: TicketOfOrder): Promise<FileDownload> {
  const { apple } = deps.wallets;
  if (!apple) throw new AppError('page.not-found');
  const ticket = await handOut(deps, chosen, ['apple']);
  return {
    fileName: `${ticket.title}, ${ticket.position}.pkpass`,
    chunks: [await signApplePass(deps, apple, ticket)],
  };
}

/** The address that saves a ticket. */
export async function googleSaveUrl(deps: WalletDeps, chosen: TicketOfOrder): Promise<string> {
  const { google } = deps.wallets;
  if (!google) throw new AppError('page.not-found');
  return google.saveUrl(await handOut(deps, chosen, ['google-event', 'google']));
}

/** Stores which pass was handed out before reading what it shows, so that no change in between is missed. */
async function handOut(
  deps: WalletDeps,
  { token, ticket: position }: TicketOfOrder,
  kinds: readonly PassKind[],
): Promise<WalletTicket> {
  const { order, tickets } = await readOrderTickets(deps, token);
  const ticket = tickets.find((one) => one.position === position);
  if (!ticket) throw new AppError('order.ticket-ended');
  const { eventId, orderId } = order;
  await consumeLimit(deps.rateLimiter, 'wallet-pass', orderId);
  const { id: ticketId, transferredCount } = ticket;
  const passId = passIdOf({ orderId, position, transferredCount });
  for (const kind of kinds) {
    const isEvent = kind === 'google-event';
    const about = isEvent
      ? { passId: eventId, ticketId: null, transferredCount: 0 }
      : { passId, ticketId, transferredCount };
    await insertPass(deps.db, { eventId, kind, ...about });
  }
  const pass = await readPass(deps.db, { eventId, kind: kinds.at(-1) ?? 'apple', passId });
  const shown = pass && walletTicket(deps, pass);
  // Refunded or transferred meanwhile.
  if (!shown || shown.voided) throw new AppError('order.ticket-ended');
  return shown;
}
