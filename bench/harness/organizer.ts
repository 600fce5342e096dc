import * as accounts from '#contract/app/accounts.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { Visitor } from '#tests/support/http-visitor.ts';
import { sellMany } from '#tests/support/many-guests.ts';
import { putOnSale } from './events-on-sale.ts';
import { get } from './load.ts';
import type { Shop } from './shop.ts';

export interface Organizer {
  organizer: Actor;
  eventIds: string[];
  guests: number;
  credentials: { email: string; password: string };
  /** Of the organizer's session. */
  cookie: string;
  /** A request with the organizer's session. */
  get: (path: string) => Buffer;
}

/** Registers and logs in over HTTP; inserts the events and guests with SQL. */
export async function openOrganizer(
  { origins, ownerPool, owner }: Shop,
  { events: count, guests, isBrowser = false }: { events: number; guests: number; isBrowser?: boolean },
): Promise<Organizer> {
  const visitor = new Visitor(origins[0] ?? '', { isBrowser });
  const email = `organizer-${guests}@example.com`;
  const credentials = { email, password: 'correct horse battery' };
  const confirmPassword = credentials.password;
  await visitor.call(accounts.register, { ...credentials, confirmPassword, acceptedTerms: true });
  await visitor.call(accounts.login, credentials);
  const { rows } = await ownerPool.query<Pick<Actor, 'userId' | 'organizationId'>>(
    `select user_id as "userId", organization_id as "organizationId"
       from memberships m join users u on u.id = m.user_id where u.email = $1`,
    [email],
  );
  const [row] = rows;
  if (!row) throw new Error('the organizer was not registered');
  const actor: Actor = {
    ...row,
    role: 'owner',
    onlyEventIds: null,
    emailVerifiedAt: new Date(),
    isReauthenticated: true,
    lacksFactor: false,
    scopes: null,
    sessionId: null,
  };

  const events = await putOnSale(ownerPool, { events: count });
  const eventIds = events.map(({ eventId }) => eventId);
  await ownerPool.query('update events set organization_id = $1 where id = any ($2)', [actor.organizationId, eventIds]);
  for (const eventId of eventIds) await sellMany(owner, eventId, guests / count);
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { organizer: actor, eventIds, guests, credentials, cookie, get: (path) => get(path, { cookie }) };
}
