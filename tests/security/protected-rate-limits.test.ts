/** Rate limits of costly requests, at a tenth of their values. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { profile, resendVerification, saveAccountInfo } from '#contract/app/accounts.ts';
import * as events from '#contract/app/events.ts';
import { resendTicket } from '#contract/app/guests.ts';
import * as payouts from '#contract/app/payouts.ts';
import { addPhotos } from '#contract/app/photos.ts';
import { deleteOrganization } from '#contract/app/privacy.ts';
import { invite } from '#contract/app/team.ts';
import type { Answer } from '#tests/support/http-visitor.ts';
import { accountInfo, eventForm, newOrganizer, onboardedOrganizer, verifiedOrganizer } from '#tests/support/people.ts';
import { soldOrder } from '#tests/support/sold-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';

const SCALE = 0.1;
const recordFile = join(makeDataDirectory(), 'exchanges.jsonl');
const NO_EVENT = 'AAAAAAAAAAAAAAAA';
let app: TestApp;
let organizer: Awaited<ReturnType<typeof verifiedOrganizer>>;
let newcomer: Awaited<ReturnType<typeof newOrganizer>>;
beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: SCALE, recordFile });
  organizer = await verifiedOrganizer(app);
  newcomer = await newOrganizer(app);
});
beforeEach(() => app.db.deleteFrom('rateLimits').execute());
afterAll(() => app.close());

/** Repeats the request until it is rate limited. Returns the number of accepted ones. */
async function untilTooOften(ask: () => Promise<Answer<unknown>>): Promise<number> {
  for (let asked = 0; asked < 60; asked++) {
    const { status, body, headers } = await ask();
    if (status !== 429) continue;
    expect(body).toEqual(expect.objectContaining({ code: 'rate-limit.exceeded' }));
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    return asked;
  }
  throw new Error('no request was rate limited');
}

const visitor = () => organizer.visitor;
const invited = { email: 'crew@example.com', role: 'viewer', onlyEventIds: null } as const;
const address = { street: '38 Withers St', city: 'Brooklyn', state: 'NY' as const, postalCode: '11211' };

describe('an organizer over the rate limit', () => {
  it.each([
    ['POST /api/protected/get-coords', 3, () => visitor().call(events.getCoords, address)],
    ['POST /api/protected/cancel-event', 6, () => visitor().call(events.cancelEvent, { eventId: NO_EVENT })],
    ['POST /api/protected/requestPayout', 6, () => visitor().call(payouts.requestPayout, { eventId: NO_EVENT })],
    ['POST /api/protected/create-account-link', 6, () => visitor().call(payouts.createAccountLink, {})],
    ['POST /api/protected/invite', 2, () => visitor().call(invite, invited)],
    ['POST /api/protected/delete-organization', 2, () => visitor().call(deleteOrganization, {})],
    ['POST /api/protected/accountInfo', 6, () => visitor().call(saveAccountInfo, accountInfo)],
    ['POST /api/protected/resend-verification', 1, () => newcomer.visitor.call(resendVerification, {})],
  ] as const)('gets a 429: %s', async (_call, often, ask) => {
    expect(await untilTooOften(ask)).toBe(often);

    const other = await newOrganizer(app);
    expect((await other.visitor.call(events.getCoords, address)).status).toBe(200);
  });

  it('gets a 429: POST /api/protected/add-photos', async () => {
    const { eventId } = await soldOrder(app.db, { organizerEmail: organizer.email });
    const upload = () => {
      const body = new FormData();
      body.append('eventId', eventId);
      return visitor().request(addPhotos.path, { method: 'POST', body });
    };

    expect(await untilTooOften(upload)).toBe(6);
  });

  it('gets a 429: GET /api/protected/event/:eventId/guests.csv, over all events', async () => {
    const sold = [await soldOrder(app.db, { organizerEmail: organizer.email })];
    sold.push(await soldOrder(app.db, { organizerEmail: organizer.email }));
    let downloads = 0;
    const download = async () => {
      const reply = await visitor().fetch(`/api/protected/event/${sold[downloads++ % 2]?.eventId}/guests.csv`);
      const { status, headers } = reply;
      return { status, headers, body: status === 429 ? await reply.json() : await reply.text() };
    };

    expect(await untilTooOften(download)).toBe(6);
  });

  it('gets a 429: POST /api/protected/event, even if each event is cancelled', async () => {
    const seller = await onboardedOrganizer(app);
    const createAndCancel = async () => {
      const reply = await seller.visitor.call(events.createEvent, eventForm(app));
      await app.db.updateTable('events').set({ cancelledAt: app.now() }).where('cancelledAt', 'is', null).execute();
      return reply;
    };

    expect(await untilTooOften(createAndCancel)).toBe(10);
  });

  it('cannot resend a whole guest list ticket by ticket: POST /api/protected/resend-ticket', async () => {
    const ticketNames = Array.from({ length: 15 }, () => 'General admission');
    const { tickets, buyerEmail: email } = await soldOrder(app.db, { organizerEmail: organizer.email, ticketNames });
    let next = 0;
    const resend = () => {
      const confirmationNumber = tickets[next++]?.confirmationNumber ?? '';
      return visitor().call(resendTicket, { email, confirmationNumber });
    };

    expect(await untilTooOften(resend)).toBe(10);
  });

  it('cannot resend a ticket to a buyer all day: POST /api/protected/resend-ticket', async () => {
    const { tickets, buyerEmail: email } = await soldOrder(app.db, { organizerEmail: organizer.email });
    const confirmationNumber = tickets[0]?.confirmationNumber ?? '';

    expect(await untilTooOften(() => visitor().call(resendTicket, { email, confirmationNumber }))).toBe(1);
  });

  it('cannot resend a ticket by typing its number in another way: POST /api/protected/resend-ticket [EMAIL-6]', async () => {
    const { tickets, buyerEmail: email } = await soldOrder(app.db, { organizerEmail: organizer.email });
    const number = tickets[0]?.confirmationNumber ?? '';
    const typed = [number, ` ${number}`, `${number} `, `\t${number}\n`, `\u00a0${number}`];

    const statuses = [];
    for (const [index, confirmationNumber] of typed.entries()) {
      const reply = await visitor().call(resendTicket, {
        email: index % 2 ? email.toUpperCase() : email,
        confirmationNumber,
      });
      statuses.push(reply.status);
    }

    expect(statuses).toEqual([200, 429, 429, 429, 429]);
  });

  it('does not query Stripe on each reload of an incomplete account: GET /api/protected/profile', async () => {
    const newcomer = await verifiedOrganizer(app);
    await newcomer.visitor.call(saveAccountInfo, accountInfo);
    await newcomer.visitor.call(payouts.createAccountLink, {});
    const before = await readings();

    for (let load = 0; load < 12; load++) expect((await newcomer.visitor.call(profile, {})).status).toBe(200);

    await expect.poll(async () => (await readings()) - before).toBeGreaterThanOrEqual(6);
    await app.settle();
    expect((await readings()) - before).toBe(6);
  });
});

/** Number of account reads that Stripe answered. */
async function readings(): Promise<number> {
  // The last line may still be being written.
  const exchanges = (await readFile(recordFile, 'utf8')).split('\n').slice(0, -1).filter(Boolean);
  const asked: { method?: string; path?: string }[] = exchanges.map((line) => JSON.parse(line));
  return asked.filter(({ method, path }) => method === 'GET' && path?.includes('/accounts/')).length;
}
