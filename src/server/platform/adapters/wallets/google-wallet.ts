/** Links that save a ticket to Google Wallet: a JWT that holds the event and the ticket, signed with the operator's service account. */
import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import * as z from 'zod';
import { localTimeWithOffset } from '#domain/local-time.ts';
import { ticketFile as text } from '#messages/sales/ticket-files.ts';
import type { GoogleWallet, WalletTicket } from '#server/platform/ports/wallets.ts';

/** Google advises against links of more than 1,800 characters, so the JWT has nothing that isn't shown. */
const SAVE = 'https://pay.google.com/gp/v/save/';

const serviceAccount = z.object({ client_email: z.string(), private_key: z.string() });

/** @param json the service account's key, as Google's console downloads it */
export function googleWallet(json: string, { issuerId }: { issuerId: string }): GoogleWallet {
  const account = serviceAccount.parse(JSON.parse(json));
  const key = createPrivateKey(account.private_key);
  return {
    async saveUrl(ticket) {
      const claims = {
        typ: 'savetowallet',
        payload: { eventTicketClasses: [eventOf(ticket, issuerId)], eventTicketObjects: [ticketOf(ticket, issuerId)] },
      };
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256' })
        .setIssuer(account.client_email)
        .setAudience('google')
        .setIssuedAt()
        .sign(key);
      return SAVE + token;
    },
  };
}

const localized = (value: string) => ({ defaultValue: { language: 'en', value } });

const classId = ({ eventId }: WalletTicket, issuerId: string) => `${issuerId}.${eventId}`;

function eventOf(ticket: WalletTicket, issuerId: string) {
  const at = (date: Date) => localTimeWithOffset(date, ticket.timezone);
  return {
    id: classId(ticket, issuerId),
    issuerName: text.issuer(ticket.seller),
    reviewStatus: 'UNDER_REVIEW',
    eventName: localized(ticket.title),
    venue: { name: localized(ticket.street), address: localized(text.city(ticket)) },
    dateTime: { start: at(ticket.startsAt), end: at(ticket.endsAt) },
  };
}

function ticketOf(ticket: WalletTicket, issuerId: string) {
  return {
    id: `${issuerId}.${ticket.id}`,
    classId: classId(ticket, issuerId),
    state: 'ACTIVE',
    ticketNumber: ticket.confirmationNumber,
    ticketType: localized(`${ticket.ticketName}, ${ticket.position}`),
    barcode: { type: 'QR_CODE', value: ticket.confirmationNumber },
  };
}
