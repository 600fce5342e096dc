/**
 * Tickets in Google Wallet. A link saves one: a JWT that holds the event and the ticket, signed with the operator's service account.
 * With the same account, what was saved is changed through Google's API.
 */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import * as z from 'zod';
import { localTimeWithOffset } from '#domain/local-time.ts';
import { streetAddress } from '#messages/format.ts';
import { ticketFile as text } from '#messages/sales/ticket-files.ts';
import type { GoogleWallet, WalletAnswer, WalletEvent, WalletTicket } from '#server/platform/ports/wallets.ts';

/** Google advises against links of more than 1,800 characters, so the JWT has nothing that isn't shown. */
const SAVE = 'https://pay.google.com/gp/v/save/';
const SCOPE = 'https://www.googleapis.com/auth/wallet_object.issuer';
const TOKEN_SECONDS = 3600;
/** A token that ends during a call is refused. */
const TOKEN_MARGIN_MS = 60_000;

export interface GoogleApi {
  wallet: string;
  /** Gives access tokens. */
  tokens: string;
  timeoutMs: number;
}

const GOOGLE: GoogleApi = {
  wallet: 'https://walletobjects.googleapis.com',
  tokens: 'https://oauth2.googleapis.com',
  timeoutMs: 10_000,
};

const serviceAccount = z.object({ client_email: z.string(), private_key: z.string() });
const tokenReply = z.object({ access_token: z.string().min(1), expires_in: z.number() });

interface Account {
  email: string;
  key: KeyObject;
}

interface Options {
  issuerId: string;
  /** For tests. It never comes from user input. */
  api?: GoogleApi;
}

/** @param json the service account's key, as Google's console downloads it */
export function googleWallet(json: string, { issuerId, api = GOOGLE }: Options): GoogleWallet {
  const { client_email: email, private_key } = serviceAccount.parse(JSON.parse(json));
  const account: Account = { email, key: createPrivateKey(private_key) };
  const call = openCalls(account, api);
  const save = (kind: string, id: string, body: object) =>
    call(`/walletobjects/v1/${kind}/${encodeURIComponent(id)}`, body);
  return {
    async saveUrl(ticket) {
      const claims = {
        typ: 'savetowallet',
        payload: { eventTicketClasses: [eventOf(ticket, issuerId)], eventTicketObjects: [ticketOf(ticket, issuerId)] },
      };
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256' })
        .setIssuer(account.email)
        .setAudience('google')
        .setIssuedAt()
        .sign(account.key);
      return SAVE + token;
    },

    updateEvent: (event) => save('eventTicketClass', classId(event, issuerId), eventOf(event, issuerId)),

    updateTicket: (ticket) =>
      save('eventTicketObject', `${issuerId}.${ticket.id}`, {
        ...ticketOf(ticket, issuerId),
        textModulesData: ticket.voided
          ? [{ id: 'status', header: text.status, body: text.whyVoided[ticket.voided] }]
          : [],
      }),
  };
}

const localized = (value: string) => ({ defaultValue: { language: 'en', value } });

const classId = ({ eventId }: WalletEvent, issuerId: string) => `${issuerId}.${eventId}`;

function eventOf(event: WalletEvent, issuerId: string) {
  const at = (date: Date) => localTimeWithOffset(date, event.timezone);
  return {
    id: classId(event, issuerId),
    issuerName: text.issuer(event.seller),
    // Google denies a change of a class that leaves its own APPROVED in place.
    reviewStatus: 'UNDER_REVIEW',
    eventName: localized(event.title),
    venue: {
      name: localized(event.venueName ?? event.street),
      address: localized(event.venueName === null ? text.city(event) : streetAddress(event)),
    },
    dateTime: {
      ...(event.doorsAt && { doorsOpen: at(event.doorsAt) }),
      start: at(event.startsAt),
      end: at(event.endsAt),
    },
  };
}

/** A change without the number leaves the one that the holder of that time knows. */
function ticketOf(ticket: WalletTicket, issuerId: string) {
  const { confirmationNumber: number } = ticket;
  return {
    id: `${issuerId}.${ticket.id}`,
    classId: classId(ticket, issuerId),
    state: ticket.voided ? 'EXPIRED' : 'ACTIVE',
    ...(number && { ticketNumber: number }),
    ticketType: localized(`${ticket.ticketName}, ${ticket.position}`),
    ...(number && { barcode: { type: 'QR_CODE', value: number } }),
  };
}

/** Calls the API with an access token that it keeps as long as Google says. */
function openCalls(account: Account, { wallet, tokens, timeoutMs }: GoogleApi) {
  let access: Promise<{ token: string; until: number }> | null = null;

  async function requestAccess() {
    const assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(account.email)
      .setAudience(`${tokens}/token`)
      .setIssuedAt()
      .setExpirationTime(`${TOKEN_SECONDS}s`)
      .sign(account.key);
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
    const reply = await send(`${tokens}/token`, { method: 'POST', body: new URLSearchParams(grant) });
    if (!reply.ok) throw await failureOf(reply, 'Google gave no access');
    const { access_token: token, expires_in: seconds } = tokenReply.parse(await reply.json());
    return { token, until: Date.now() + Math.max(seconds * 1000 - TOKEN_MARGIN_MS, TOKEN_MARGIN_MS) };
  }

  /** Calls at the same time share one request. */
  async function readToken(): Promise<string> {
    access ??= requestAccess();
    const asked = access;
    const forget = () => {
      if (access === asked) access = null;
    };
    const { token, until } = await asked.catch((error: unknown) => {
      forget();
      throw error;
    });
    if (until > Date.now()) return token;
    forget();
    return readToken();
  }

  const send = (url: string, init: RequestInit) =>
    fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });

  return async (path: string, body: object): Promise<WalletAnswer> => {
    const token = await readToken();
    const reply = await send(wallet + path, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (reply.status === 401) access = null;
    if (reply.status !== 404 && !reply.ok) throw await failureOf(reply, 'Google refused a change');
    await reply.body?.cancel();
    return reply.ok ? 'updated' : 'gone';
  };
}

/** Without the answer's text, which quotes the request. */
async function failureOf(reply: Response, what: string): Promise<Error> {
  await reply.body?.cancel();
  return new Error(`${what}: ${reply.status}`);
}
