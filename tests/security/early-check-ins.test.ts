/**
 * An organizer scans every ticket weeks before the event, so that no buyer can get a refund, and collects the payout. Each way of
 * scanning unseen is tried; none keeps a buyer's money.
 */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { login } from '#contract/app/accounts.ts';
import { adminActionItems, decideEarlyCheckIn } from '#contract/app/action-items.ts';
import { checkGuest, checkGuestManual } from '#contract/app/check-in.ts';
import { syncScans, undoCheckIn } from '#contract/app/check-in-devices.ts';
import { objectToCheckIn } from '#contract/app/early-check-ins.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { earlyCheckInEmail } from '#messages/early-check-in.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { advanceTo, movementsAtStripe, settlementOf } from '#tests/support/money.ts';
import { moneyErrors } from '#tests/support/money-errors.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
  newOrganizer,
  PASSWORD,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const HOUR = 60 * 60 * 1000;
const ZONE = 'America/New_York';
const local = (time: number) => localTimeOf(new Date(time), ZONE);

/** An event in three weeks. Each of six buyers pays for one ticket. */
async function soldOut() {
  const start = app.now().getTime() + 21 * 24 * HOUR;
  const event = await eventOnSale(app, {
    startDate_startTime: local(start),
    endDate_endTime: local(start + 3 * HOUR),
  });
  const buyers: { email: string; code: string }[] = [];
  for (let number = 1; number <= 6; number++) {
    const email = `buyer-${randomUUID()}@example.com`;
    const [code = ''] = codesOf(await buyTickets(app, event.eventId, generalAdmission(1), email));
    buyers.push({ email, code });
  }
  await app.settle();
  return { ...event, start, buyers };
}

type Attack = Awaited<ReturnType<typeof soldOut>>;

/** Every way to check in all tickets weeks before the event. */
const ATTACKS: Record<string, (attack: Attack, codes: string[]) => Promise<void>> = {
  async 'as the owner, without a device'({ eventId, visitor }, codes) {
    for (const confirmationNumber of codes) expectOk(await visitor.call(checkGuest, { eventId, confirmationNumber }));
  },
  async 'as an attendant who types the numbers'({ eventId, attendantCode }, codes) {
    const device = await attendantOf(app, eventId, attendantCode);
    for (const confirmationNumber of codes)
      expectOk(await device.call(checkGuestManual, { eventId, manualFormData: { confirmationNumber } }));
  },
  async 'by syncing scans with forged times'({ eventId, attendantCode, start }, codes) {
    const device = await attendantOf(app, eventId, attendantCode);
    const times = [0, start, start + HOUR, Date.UTC(2000, 0, 1), Date.UTC(2099, 0, 1), app.now().getTime()];
    const scans = codes.map((confirmationNumber, index) => ({
      scanId: randomUUID(),
      confirmationNumber,
      at: times[index % times.length] ?? 0,
    }));
    expectOk(await device.call(syncScans, { eventId, scans }));
  },
  async 'after moving the start closer, and back again'(attack, codes) {
    const { eventId, visitor, start } = attack;
    await editEventOf(app, attack, { startDate_startTime: local(app.now().getTime() + HOUR) });
    for (const confirmationNumber of codes) expectOk(await visitor.call(checkGuest, { eventId, confirmationNumber }));
    await editEventOf(app, attack, { startDate_startTime: local(start) });
  },
  async 'after moving the start closer for good'(attack, codes) {
    const { eventId, visitor } = attack;
    await editEventOf(app, attack, { startDate_startTime: local(app.now().getTime() + HOUR) });
    for (const confirmationNumber of codes) expectOk(await visitor.call(checkGuest, { eventId, confirmationNumber }));
  },
  async 'within check-in hours, after moving the start closer'(attack, codes) {
    const { eventId, visitor } = attack;
    const start = app.now().getTime() + HOUR;
    await editEventOf(app, attack, { startDate_startTime: local(start), checkInOpens: local(start - 2 * HOUR) });
    for (const confirmationNumber of codes) expectOk(await visitor.call(checkGuest, { eventId, confirmationNumber }));
  },
  async 'with check-ins that are undone until no more emails go out'({ eventId, attendantCode }, codes) {
    const device = await attendantOf(app, eventId, attendantCode);
    for (const confirmationNumber of codes)
      for (let attempt = 1; attempt <= 7; attempt++) {
        const scanId = randomUUID();
        expectOk(await device.call(checkGuest, { eventId, confirmationNumber, scanId }));
        if (attempt < 7) expectOk(await device.call(undoCheckIn, { eventId, scanId }));
      }
  },
  async 'all with the same scan id, in one burst'({ eventId, attendantCode }, codes) {
    const device = await attendantOf(app, eventId, attendantCode);
    const scanId = randomUUID();
    await Promise.all(
      codes.map((confirmationNumber) => device.call(checkGuest, { eventId, confirmationNumber, scanId })),
    );
  },
};

async function openItems(admin: Awaited<ReturnType<typeof newOrganizer>>, eventId: string) {
  await admin.visitor.call(login, { email: admin.email, password: PASSWORD });
  const { items } = expectOk(await admin.visitor.call(adminActionItems, {}));
  return items.filter((item) => item.event?.eventId === eventId);
}

async function linkOf(email: string): Promise<string> {
  const emails = (await emailsTo(app, email)).filter(({ subject }) => subject === earlyCheckInEmail.subject);
  return /\/checked-in\/[\w-]{16}\/([\w-]{43})/.exec(emails[0]?.text ?? '')?.[1] ?? '';
}

it.each(Object.entries(ATTACKS))(
  'an organizer who checks in every ticket three weeks early, %s, keeps no refund from anyone [WINDOW-0]',
  async (_how, attackBy) => {
    const attack = await soldOut();
    const { eventId, buyers } = attack;
    const codes = buyers.map(({ code }) => code);
    const admin = await newOrganizer(app);
    await appointAdmin(app.deps, { email: admin.email, isAdmin: true });

    await attackBy(attack, codes);
    await app.settle();

    // Refunds are shut off, as the rule of scanned tickets says, but everyone knows.
    for (const confirmationCode of codes)
      expect((await app.call(requestRefund, { eventId, confirmationCode })).body.code).toBe('refund.already-scanned');
    expect((await openItems(admin, eventId)).map(({ kind }) => kind)).toEqual(['early-check-ins']);
    const links = await Promise.all(buyers.map(({ email }) => linkOf(email)));
    expect(links.filter(Boolean)).toHaveLength(buyers.length);
    for (const token of links.slice(0, 2)) expectOk(await app.call(objectToCheckIn, { eventId, token }));

    // The payout waits for the two who object.
    await advanceTo(app, new Date((await settlementOf(app, eventId)).getTime() + 1000));
    await logInAgain(attack);
    const denied = await attack.visitor.call(requestPayout, { eventId });
    expect(denied).toMatchObject({ status: 409, body: { code: 'payout.objections-open' } });
    expect(await movementsAtStripe(app, 'transfer', eventId)).toEqual([]);

    // One decision frees every ticket, and each buyer who asks gets the money back.
    const all = (await openItems(admin, eventId)).find(({ kind }) => kind === 'early-check-ins');
    const note = 'nobody was there';
    expectOk(
      await admin.visitor.call(decideEarlyCheckIn, { action: 'undo-check-ins', subject: all?.subject ?? '', note }),
    );
    expect((await attack.visitor.call(requestPayout, { eventId })).status).toBe(409);
    for (const confirmationCode of codes) expectOk(await app.call(requestRefund, { eventId, confirmationCode }));
    await app.settle();

    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(buyers.length);
    expect((await attack.visitor.call(requestPayout, { eventId })).body.code).toBe('payout.nothing-sold');
    expect(await openItems(admin, eventId)).toEqual([]);
    expect(await moneyErrors(app)).toEqual([]);
  },
  120_000,
);
