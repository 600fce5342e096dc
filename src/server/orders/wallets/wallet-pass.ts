/** A pass as its wallet shows it, and the token with which Apple's phones ask for it. */
import { voidReason } from '#domain/sales/wallet-passes.ts';
import { ticketPosition } from '#messages/format.ts';
import { readCoverOrPoster } from '#server/events/photos/read-photo.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { AppleWallet, PassUpdates, WalletEvent, WalletTicket } from '#server/platform/ports/wallets.ts';
import { type AppSecret, isSigned, sign } from '#server/platform/secrets.ts';
import { type FoundPass, findPass, type PassRef, recordChange } from './passes.sql.ts';

const PURPOSE = 'wallet pass';
/** Twice the size in which a phone shows it. */
const PICTURE = { width: 180, height: 180, format: 'png' } as const;
const READS_MAX = 5;

/** Below it are the calls of Apple's phones. */
const APPLE_SERVICE = '/api/public/wallet/apple';

const passToken = (appSecret: AppSecret, passId: string): string => sign(appSecret, PURPOSE, passId);

export const isPassToken = (appSecret: AppSecret, passId: string, token: string): boolean =>
  isSigned(appSecret, PURPOSE, passId, token);

/** What a pass shows now. A change that no job has noticed yet is recorded, so that every phone learns of it. */
export async function readPass(db: Db, ref: PassRef): Promise<FoundPass | undefined> {
  for (let reads = 1; ; reads++) {
    const pass = await findPass(db, ref);
    if (!pass || pass.shown === pass.fingerprint || reads === READS_MAX) return pass;
    const updatedAt = await recordChange(db, pass);
    if (updatedAt) return { ...pass, fingerprint: pass.shown, updatedAt };
  }
}

export function walletEvent({ publicUrl }: Pick<Deps, 'publicUrl'>, pass: FoundPass): WalletEvent {
  const { eventId, title, seller, startsAt, endsAt, doorsAt, timezone, street, city, state, postalCode, venueName } =
    pass;
  const event = {
    eventId,
    title,
    seller,
    startsAt,
    endsAt,
    doorsAt,
    timezone,
    street,
    city,
    state,
    postalCode,
    venueName,
  };
  return { ...event, eventUrl: `${publicUrl}/payment/${eventId}` };
}

/** Undefined for what all tickets of an event show. */
export function walletTicket(deps: Pick<Deps, 'publicUrl'>, pass: FoundPass): WalletTicket | undefined {
  const { ticket, passId, cancelledAt } = pass;
  if (!ticket) return undefined;
  const disputedAt = ticket.disputedAt === null ? null : new Date(ticket.disputedAt);
  return {
    ...walletEvent(deps, pass),
    id: passId,
    ticketName: ticket.ticketName,
    position: ticketPosition(ticket),
    confirmationNumber: ticket.confirmationNumber,
    voided: voidReason({ ...ticket, disputedAt, cancelledAt }, pass),
  };
}

/** @param token that the phone has: an update can't change it. By default that of the first secret. */
export async function signApplePass(
  deps: Pick<Deps, 'db' | 'photos' | 'publicUrl' | 'appSecret'>,
  apple: AppleWallet,
  ticket: WalletTicket,
  token = passToken(deps.appSecret, ticket.id),
): Promise<Buffer> {
  return apple.pass(ticket, await readCoverOrPoster(deps, ticket.eventId, PICTURE), updatesOf(deps, token));
}

/** Phones refuse a pass that names a service without TLS. */
const updatesOf = ({ publicUrl }: Pick<Deps, 'publicUrl'>, token: string): PassUpdates | null =>
  publicUrl.startsWith('https:') ? { url: publicUrl + APPLE_SERVICE, token } : null;
