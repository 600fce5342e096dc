/** Events whose tickets are all free: no payout account, no tax ID, and no call to Stripe from sign-up to check-in. */
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { createEvent, editEvent, editTickets } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import {
  attendantOf,
  codesOf,
  eventForm,
  expectOk,
  newOrganizer,
  onboard,
  onboardedOrganizer,
  takeFreeTickets,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

const recordFile = join(tmpdir(), `free-events-${crypto.randomUUID()}.jsonl`);

let app: TestApp;
withTestApp(
  (started) => {
    app = started;
  },
  { recordFile },
);

const type = (change: object = {}) => ({
  ticketName: 'General admission',
  ticketDescription: 'Come in',
  ticketPrice: 0,
  ticketQuantity: 20,
  ...change,
});

const form = (change: object = {}) => eventForm(app, { tickets: [type(change)] });

const incomplete = { status: 403, body: { code: 'onboarding.incomplete' } };

/** Reads that the reconciler makes by the clock aside. */
async function callsToStripe(): Promise<string[]> {
  const lines = (await readFile(recordFile, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return lines
    .map((line): { method?: string; path?: string } => JSON.parse(line))
    .filter(({ method }) => method)
    .map(({ method, path = '' }) => `${method} ${path.split('?')[0]}`)
    .filter(
      (call) =>
        !/^GET \/v1\/(?:balance|balance_transactions|events|disputes|refunds|transfers|checkout\/sessions)$/.test(call),
    );
}

describe('a free event', () => {
  it('is created, sold, checked in and returned without a call to Stripe [FREE-1 FREE-3]', async () => {
    const before = await callsToStripe();
    const { visitor } = await verifiedOrganizer(app);
    const { eventId, attendantCode } = expectOk(await visitor.call(createEvent, form()));
    const order = await takeFreeTickets(app, eventId, [{ ticketName: 'General admission', quantity: 2 }]);
    const [first = '', second = ''] = codesOf(order);
    const attendant = await attendantOf(app, eventId, attendantCode);
    expectOk(await attendant.call(checkGuest, { eventId, confirmationNumber: first }));
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: second }));
    const { organizationName, events } = expectOk(await visitor.call(profile, {}));

    expect([organizationName, events[0]?.ticketsSold]).toEqual([null, 1]);
    expect(await callsToStripe()).toEqual(before);
  });

  it('needs a verified address, and the first price complete onboarding [FREE-1 FREE-2]', async () => {
    const unverified = await newOrganizer(app);
    expect(await unverified.visitor.call(createEvent, form())).toMatchObject({
      status: 403,
      body: { code: 'auth.email-unverified' },
    });
    const { visitor } = await verifiedOrganizer(app);
    for (const priced of [{ ticketPrice: 5 }, { hasNamedPrice: true }])
      expect(await visitor.call(createEvent, form(priced))).toMatchObject(incomplete);
    const both = eventForm(app, { tickets: [type(), type({ ticketName: 'Seat', ticketPrice: 5 })] });
    expect(await visitor.call(createEvent, both)).toMatchObject(incomplete);
    expectOk(await visitor.call(createEvent, form()));
  });

  it.each([
    ['a price', { ticketPrice: 5 }],
    ['a price that buyers name', { hasNamedPrice: true }],
  ])('gets %s once onboarding is complete, in either form [FREE-2]', async (_what, priced) => {
    const organizer = await verifiedOrganizer(app);
    const { visitor } = organizer;
    const { eventId } = expectOk(await visitor.call(createEvent, form()));
    const edits = [
      () => visitor.call(editEvent, { ...form(priced), eventId }),
      () => visitor.call(editTickets, { eventId, tickets: [type(), type({ ticketName: 'Seat', ...priced })] }),
    ];
    for (const edit of edits) expect(await edit()).toMatchObject(incomplete);
    expectOk(await visitor.call(editEvent, { ...form({ ticketQuantity: 30 }), eventId }));

    const { email } = organizer;
    await onboard(app, { visitor, email });
    for (const edit of edits) expectOk(await edit());
  });

  it('that has a price is edited also while Stripe has closed the account', async () => {
    const { visitor } = await onboardedOrganizer(app);
    const { eventId } = expectOk(await visitor.call(createEvent, form({ ticketPrice: 5 })));
    await app.db.updateTable('payoutAccounts').set({ isActive: false }).execute();

    expectOk(await visitor.call(editEvent, { ...form({ ticketPrice: 6 }), eventId }));
  });
});
