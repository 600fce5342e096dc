/** What organizers are owed: their own list, and the published total that each can check. */
import { execFile } from 'node:child_process';
import { createPublicKey, hash, verify } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent, createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { organizationFunds, publicFunds } from '#contract/app/records/funds.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { isPartOfTotal, proofLines, signedText } from '#domain/payouts/sum-tree.ts';
import { readFunds } from '#server/backoffice/funds/read-funds.ts';
import { recordRefundCosts } from '#server/ledger/record-movements.ts';
import { sendWaitingPayouts } from '#server/payments/payouts/send-payout.ts';
import { sendWaitingReversals } from '#server/payments/payouts/send-reversal.ts';
import { reconcile } from '#server/payments/reconciliation/reconcile.ts';
import { newId } from '#server/platform/ids.ts';
import { decideDispute, disputePayment, fillBalance } from '#tests/support/disputes.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { clearFaults, openPayout, planFault } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventForm, eventOnSale, expectOk, logInAgain } from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 40, ticketQuantity: 100 }];
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await fillBalance(app);
});
afterAll(() => app.close());

type Event = Awaited<ReturnType<typeof eventOnSale>>;

async function soldEvent(quantity = 3): Promise<Event> {
  const event = await eventOnSale(app, { tickets });
  await buyTickets(app, event.eventId, seats(quantity));
  await app.settle();
  return event;
}

/** What the jobs do every five minutes, once what was just paid is old enough to be compared. */
async function runJobs() {
  await app.advance({ minutes: 20 });
  await reconcile(app.deps, new Date(app.now().getTime() - 24 * 60 * 60 * 1000));
  await readFunds(app.deps);
}

const owed = async ({ visitor }: Event) => expectOk(await visitor.call(organizationFunds, {}));
const published = async (site = app) => expectOk(await site.visitor().call(publicFunds, {}));
const stateNow = async () => (await published()).reading?.state;

describe('An organization', () => {
  it('sees what its sales come to after fees, until they are paid out [TRUST-1]', async () => {
    const event = await soldEvent();
    const before = await owed(event);

    expect(before).toMatchObject({
      events: [{ eventId: event.eventId, owedCents: 100_35, onHoldCents: 0, state: 'not-due', differs: false }],
      debtCents: 0,
      totalCents: 100_35,
    });
    await runJobs();
    expect((await owed(event)).comparedAt).not.toBeNull();

    await openPayout(app, event);
    expect((await owed(event)).events).toMatchObject([{ state: 'due' }]);
    expect(expectOk(await event.visitor.call(requestPayout, { eventId: event.eventId })).totalPayout).toBe(100.35);
    await app.settle();
    expect(await owed(event)).toMatchObject({ events: [], totalCents: 0 });
  });

  it('sees nothing of another one [TRUST-1]', async () => {
    const [own, other] = [await soldEvent(), await soldEvent()];

    expect((await owed(own)).events.map(({ eventId }) => eventId)).toEqual([own.eventId]);
    expect((await owed(other)).events.map(({ eventId }) => eventId)).toEqual([other.eventId]);
  });

  it('gets a disputed payment only if the dispute is won, and what it owes is taken [TRUST-1]', async () => {
    const event = await soldEvent();
    const disputeId = await disputePayment(app, event.eventId);
    expect(await owed(event)).toMatchObject({ events: [{ owedCents: 0, onHoldCents: 120_00 }], totalCents: 0 });

    await decideDispute(app, disputeId, 'won');
    expect(await owed(event)).toMatchObject({ events: [{ owedCents: 100_35, onHoldCents: 0 }] });

    const { eventId } = event;
    await recordRefundCosts(app.db, { eventId, subjectId: newId(), cents: 5_00, at: app.now() }, 'receivables');
    expect(await owed(event)).toMatchObject({ debtCents: 5_00, totalCents: 95_35 });
    await app.advance({ days: 1 });
    await runJobs();
    await logInAgain(event);
    expect((await owed(event)).proof).toMatchObject({ cents: 95_35 });
    const member = await newMember(app, event, 'finance', [eventId]);
    expect(expectOk(await member.visitor.call(organizationFunds, {}))).toMatchObject({
      debtCents: 0,
      totalCents: 100_35,
    });
    await recordRefundCosts(app.db, { eventId, subjectId: newId(), cents: -7_00, at: app.now() }, 'receivables');
    expect(await owed(event)).toMatchObject({ debtCents: -2_00, totalCents: 102_35 });
  });

  it('sees what a payout keeps back until it is sent, and what is requested [TRUST-1]', async () => {
    const braked = await startTestApp({ payoutBrakes: { reservePercent: 20, reserveDays: 30 } });
    try {
      await fillBalance(braked);
      const event = await eventOnSale(braked, { tickets });
      await buyTickets(braked, event.eventId, seats(3));
      await braked.settle();
      await openPayout(braked, event);
      await planFault(braked, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'drop_before', times: 30 });
      await event.visitor.call(requestPayout, { eventId: event.eventId });
      expect((await owed(event)).events).toMatchObject([{ owedCents: 100_35, state: 'requested' }]);

      await clearFaults(braked);
      await sendWaitingPayouts(braked.deps);
      expect((await owed(event)).events).toMatchObject([{ owedCents: 20_07, state: 'kept-back' }]);
    } finally {
      await braked.close();
    }
  });

  it('is not owed what banks hold, before and after a payout is requested [TRUST-1]', async () => {
    const event = await eventOnSale(app, { tickets });
    await buyTickets(app, event.eventId, seats(2));
    await buyTickets(app, event.eventId, seats(1));
    await app.settle();
    await openPayout(app, event);
    await disputePayment(app, event.eventId, { which: 1 });
    expect((await owed(event)).events).toMatchObject([{ owedCents: 61_90, onHoldCents: 40_00 }]);

    // Stripe can't send it yet, and another dispute opens.
    await planFault(app, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'drop_before', times: 30 });
    await event.visitor.call(requestPayout, { eventId: event.eventId });
    expect((await owed(event)).events).toMatchObject([{ owedCents: 61_90, onHoldCents: 40_00, state: 'requested' }]);
    await disputePayment(app, event.eventId, { which: 0 });
    expect((await owed(event)).events).toMatchObject([{ owedCents: 0, onHoldCents: 120_00 }]);
    await clearFaults(app);
    await sendWaitingPayouts(app.deps);
    await sendWaitingReversals(app.deps);
    expect((await owed(event)).events).toMatchObject([{ owedCents: 0, onHoldCents: 120_00, state: 'kept-back' }]);
  });

  it('is no longer owed for a ticket whose refund is under way: its buyer is [TRUST-1]', async () => {
    const patient = await startTestApp({ refundDelayMinutes: 30 });
    try {
      const event = await eventOnSale(patient, { tickets });
      const [code = ''] = codesOf(await buyTickets(patient, event.eventId, seats(2)));
      await patient.settle();
      expect((await owed(event)).totalCents).toBe(61_90);
      await readFunds(patient.deps);
      const before = (await published(patient)).reading;

      expectOk(await patient.visitor().call(requestRefund, { eventId: event.eventId, confirmationCode: code }));
      expect((await owed(event)).totalCents).toBe(23_45);
      await readFunds(patient.deps);
      const { reading } = await published(patient);
      expect(reading?.buyersCents).toBe((before?.buyersCents ?? 0) + 40_00);
      expect(reading?.organizersCents).toBe((before?.organizersCents ?? 0) - 38_45);
    } finally {
      await patient.close();
    }
  });

  it('shows a member only the events that the member was given, and no proof [TRUST-1 ROLE-1]', async () => {
    const event = await soldEvent();
    const other = expectOk(await event.visitor.call(createEvent, eventForm(app, { tickets, title: 'Encore' })));
    await buyTickets(app, other.eventId, seats(1));
    const member = await newMember(app, event, 'finance', [event.eventId]);
    await app.advance({ days: 1 });
    await runJobs();
    await logInAgain(member);
    await logInAgain(event);

    const all = await owed(event);
    expect(all).toMatchObject({ events: [{}, {}], proof: { cents: all.totalCents } });
    const given = expectOk(await member.visitor.call(organizationFunds, {}));
    expect(given).toMatchObject({ events: [{ eventId: event.eventId }], totalCents: 100_35, proof: null });
  });

  it('is owed nothing for a cancelled event: its buyers are [TRUST-1]', async () => {
    const event = await soldEvent();
    await runJobs();
    const before = (await published()).reading;
    await app.endJobs();
    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));

    expect(await owed(event)).toMatchObject({ events: [{ owedCents: 0, state: 'to-buyers' }], totalCents: 0 });
    await readFunds(app.deps);
    const { reading } = await published();
    expect(reading?.buyersCents).toBe((before?.buyersCents ?? 0) + 120_00);
    expect(reading?.organizersCents).toBe((before?.organizersCents ?? 0) - 100_35);
    await app.restartJobs();
    await app.settle();
  });
});

describe('The published total', () => {
  it('is the sum of what each organization is owed, covered and signed [TRUST-2]', async () => {
    const events = [await soldEvent(1), await soldEvent(2), await soldEvent(3)];
    await app.advance({ days: 1 });
    await runJobs();
    const { reading, snapshots } = await published();
    const [newest] = snapshots;
    if (!newest) throw new Error('nothing was signed');

    expect(reading).toMatchObject({ state: 'covered', organizersCents: newest.totalCents });
    const key = createPublicKey({ key: Buffer.from(newest.publicKey, 'base64'), format: 'der', type: 'spki' });
    const isSigned = (text: string) => verify(null, Buffer.from(text), key, Buffer.from(newest.signature, 'base64'));
    expect(isSigned(signedText(newest))).toBe(true);
    expect(isSigned(signedText({ ...newest, totalCents: newest.totalCents - 1 }))).toBe(false);

    for (const event of events) {
      await logInAgain(event);
      const { proof, totalCents } = await owed(event);
      if (!proof) throw new Error('no proof');
      expect(proof).toMatchObject({ ...newest, cents: totalCents });
      expect(await isPartOfTotal(proof, (text) => hash('sha256', text, 'hex'))).toBe(true);
      const leaf = `${proof.organizationId} ${proof.cents}`;
      expect(await verifiedByShell(proofLines(proof))).toBe(`matches: ${leaf} is part of ${signedText(newest)}\n`);
      const inWindows = proofLines(proof).map((line) => `${line}\r`);
      expect(await verifiedByShell(inWindows)).toContain(leaf);
    }
  });

  it.each<[what: string, change: (lines: string[]) => string[]]>([
    ['another amount', ([day = '', , ...rest]) => [day, 'owed me nonce 1', ...rest]],
    ['a second amount', ([day = '', owed = '', ...rest]) => [day, owed, 'owed me nonce 1', ...rest]],
    ['a negative neighbor', (lines) => [...lines.slice(0, -1), `left ${'a'.repeat(64)} -100`, lines.at(-1) ?? '']],
    [
      'a neighbor that is a command',
      (lines) => [...lines.slice(0, -1), `left ${'a'.repeat(64)} a[$(id)]`, lines.at(-1) ?? ''],
    ],
    [
      'a sum that overflows',
      (lines) => [...lines.slice(0, -1), `left ${'a'.repeat(64)} ${'9'.repeat(19)}`, lines.at(-1) ?? ''],
    ],
    ['no total', (lines) => lines.slice(0, -1)],
    ['a line after the total', (lines) => [...lines, `left ${'a'.repeat(64)} 1`]],
  ])('is not proved to a script by %s [TRUST-2]', async (_what, change) => {
    const event = await soldEvent();
    await app.advance({ days: 1 });
    await runJobs();
    await logInAgain(event);
    const { proof } = await owed(event);
    if (!proof) throw new Error('no proof');

    const lines = proofLines(proof);
    expect(await verifiedByShell(lines)).toContain('matches');
    await expect(verifiedByShell(change(lines))).rejects.toThrow("doesn't match");
  });

  it('is signed once a day, whatever changes during it [TRUST-2]', async () => {
    await runJobs();
    const before = await published();
    const event = await soldEvent();
    await readFunds(app.deps);
    const after = await published();

    expect(after.snapshots).toEqual(before.snapshots);
    expect(after.reading?.organizersCents).toBe((before.reading?.organizersCents ?? 0) + 100_35);
    expect((await owed(event)).proof).toBeNull();
  });

  it('turns red within one run if a cent is missing, and back once it is found [TRUST-2]', async () => {
    const event = await soldEvent();
    await runJobs();
    expect(await stateNow()).toBe('covered');

    const charge = sql`(select b.id from balance_transactions b join orders o on o.payment_id = b.payment_id
                         where o.event_id = ${event.eventId} limit 1)`;
    const move = (cents: number) =>
      sql`update sandbox.balance_transactions set net = net + ${cents}, fee = fee - ${cents} where id = ${charge}`.execute(
        app.db,
      );
    await move(-1);
    await runJobs();
    expect(await stateNow()).toBe('differs');
    expect((await owed(event)).events).toMatchObject([{ differs: true }]);

    await move(1);
    await runJobs();
    expect(await stateNow()).toBe('covered');
  });

  it('turns red within one run if less is at Stripe than is owed [TRUST-2]', async () => {
    await soldEvent();
    await runJobs();
    const { reading } = await published();
    if (!reading) throw new Error('nothing was read');
    const spare = reading.balanceCents - reading.organizersCents - reading.buyersCents;
    const withdraw = (cents: number) =>
      sql`insert into sandbox.balance_transactions
            (id, account, amount, fee, net, type, reporting_category, source, created, available_on, status)
          values (${`txn_withdrawn_${cents}`}, null, ${-cents}, 0, ${-cents}, 'payout', 'payout', 'po_x', 0, 0, 'available')`.execute(
        app.db,
      );
    await withdraw(spare);
    await readFunds(app.deps);
    expect(await stateNow()).toBe('covered');

    await withdraw(1);
    await readFunds(app.deps);
    expect(await stateNow()).toBe('short');
  });

  it('turns red if nothing was compared for an hour [TRUST-2]', async () => {
    await sql`delete from sandbox.balance_transactions where id like 'txn_withdrawn_%'`.execute(app.db);
    await runJobs();
    expect(await stateNow()).toBe('covered');

    await app.advance({ minutes: 60 });
    expect(await stateNow()).toBe('stale');
  });
});

it('Without the setting, nothing is published, and an organization still sees its own [TRUST-1 TRUST-2]', async () => {
  const event = await soldEvent();
  await runJobs();
  const quiet = await startTestApp({ publishesFunds: false });
  try {
    await readFunds(quiet.deps);
    expect(await quiet.db.selectFrom('fundsReading').select('readAt').execute()).toEqual([]);
    expect(await quiet.visitor().call(publicFunds, {})).toMatchObject({
      status: 404,
      body: errorBody('page.not-found'),
    });
    const own = await eventOnSale(quiet, { tickets });
    await buyTickets(quiet, own.eventId, seats(1));
    await quiet.settle();
    expect(expectOk(await own.visitor.call(organizationFunds, {}))).toMatchObject({ totalCents: 23_45, proof: null });
  } finally {
    await quiet.close();
  }
  expect((await owed(event)).totalCents).toBe(100_35);
});

async function verifiedByShell(lines: readonly string[]): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'handstamp-proof-')), 'proof.txt');
  await writeFile(file, `${lines.join('\n')}\n`);
  const script = new URL('../../scripts/verify-proof.sh', import.meta.url).pathname;
  return (await promisify(execFile)('sh', [script, file])).stdout;
}
