import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent } from '#contract/app/events.ts';
import { createLoginLink, requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { runEverything } from '#tests/support/heal.ts';
import { clearFaults, openPayout, planFault, simulateAtBank, stripeObjectsOf } from '#tests/support/money.ts';
import { buyTickets, cardWith, codesOf, eventOnSale, openCheckout, takeFreeTickets } from '#tests/support/people.ts';
import { asTypeScript, dueKey, readRecording } from '#tests/support/recorded-requests.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';

const repository = resolve(import.meta.dirname, '../..');
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];
const at = (ticketPrice: number) => ({
  tickets: [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice, ticketQuantity: 100 }],
});

let folder: string;
let recorded: Awaited<ReturnType<typeof readRecording>>;
beforeAll(async () => {
  folder = makeDataDirectory();
  const recordFile = join(folder, 'traffic.jsonl');
  const app = await startTestApp({ recordFile, hasOrganizers: false });
  try {
    await everyKindOfCall(app);
  } finally {
    await app.close();
  }
  recorded = await readRecording(recordFile);
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
});

/** Drops responses where a later call looks up the outcome of the first. */
async function losing(app: TestApp, path: string, work: () => Promise<unknown>): Promise<void> {
  await planFault(app, { match: { method: 'POST', path }, mode: 'drop_after', times: 100 });
  await work();
  await clearFaults(app);
  await app.advance({ hours: 3 });
  await runEverything(app);
}

async function everyKindOfCall(app: TestApp): Promise<void> {
  const free = await eventOnSale(app, at(0));
  await takeFreeTickets(app, free.eventId, seats(1), { email: 'free@example.com' });

  const off = await eventOnSale(app, at(20));
  await buyTickets(app, off.eventId, seats(2));
  await openCheckout(app, off.eventId, seats(1));
  await off.visitor.call(cancelEvent, { eventId: off.eventId });

  const { eventId, visitor, ...organizer } = await eventOnSale(app, at(40));
  const declined = await openCheckout(app, eventId, seats(3));
  await declined.pay('sam@example.com', cardWith('4000 0000 0000 0002'));
  await declined.pay('sam@example.com');
  const [first = '', second = ''] = codesOf(await declined.poll());
  await app.call(requestRefund, { eventId, confirmationCode: first });
  await losing(app, '/v1/refunds', () => app.call(requestRefund, { eventId, confirmationCode: second }));
  await buyTickets(app, eventId, seats(2), 'ben@example.com');
  await app.settle();

  await openPayout(app, { eventId, visitor, ...organizer });
  await visitor.call(createLoginLink, {});
  await losing(app, '/v1/transfers', () => visitor.call(requestPayout, { eventId }));
  const payments = await stripeObjectsOf(app, 'payment_intent', eventId);
  await losing(app, '/v1/transfers/*', async () => {
    await simulateAtBank(app, 'disputes', { payment_intent: payments.at(-1)?.id });
    await app.settle();
    await runEverything(app);
  });
}

/** Compiler errors, or an empty string. */
async function compiled(name: string, source: string): Promise<string> {
  const directory = join(folder, name);
  await mkdir(directory);
  await writeFile(join(directory, 'requests.mts'), source);
  const compilerOptions = { noUnusedLocals: false, types: [], lib: ['es2024', 'dom'] };
  const config = { extends: join(repository, 'tsconfig.base.json'), compilerOptions, files: ['requests.mts'] };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config));
  return new Promise((done) =>
    execFile(join(repository, 'node_modules/.bin/tsc'), ['--noEmit', '-p', directory], (_error, output, errors) =>
      done(`${output}${errors}`),
    ),
  );
}

describe('requests to Stripe', () => {
  it('are exactly those on record', () => {
    expect(recorded.unknown).toEqual([]);
    const made = new Set(recorded.requests.map(({ operation }) => operation.parameters));
    for (const call of [
      'Checkout.SessionCreateParams',
      'Checkout.SessionRetrieveParams',
      'Checkout.SessionExpireParams',
      'RefundCreateParams',
      'RefundListParams',
      'TransferCreateParams',
      'TransferListParams',
      'TransferCreateReversalParams',
      'TransferListReversalsParams',
      'V2.Core.AccountCreateParams',
      'V2.Core.AccountRetrieveParams',
      'V2.Core.AccountLinkCreateParams',
      'AccountCreateLoginLinkParams',
      'BalanceRetrieveParams',
      'BalanceTransactionListParams',
    ])
      expect(made).toContain(call);
  });

  it('have no parameter unknown to the pinned SDK', async () => {
    expect(recorded.requests.length).toBeGreaterThan(50);

    expect(await compiled('sent', asTypeScript(recorded.requests))).toBe('');
  });

  it('would be caught with an unknown parameter', async () => {
    const [refund] = recorded.requests.filter(({ operation }) => operation.parameters === 'RefundCreateParams');
    if (!refund) throw new Error('no refund was recorded');
    const planted = asTypeScript([refund]).replace('= {', '= {"reverse_transfers":true,');

    expect(await compiled('planted', planted)).toContain(
      `'"reverse_transfers"' does not exist in type 'RefundCreateParams'`,
    );
  });

  it('carry an idempotency key wherever money could move twice, the same for the same purpose', () => {
    const keyed = recorded.requests.filter((request) => dueKey(request) !== null);
    expect(keyed.length).toBeGreaterThan(10);
    for (const request of keyed) {
      const due = dueKey(request) ?? '';
      expect(due).toMatch(/^\w+:[0-9a-f-]{36}:?$/);
      expect(request.key?.startsWith(due), `${request.method} ${request.path} with ${request.key}`).toBe(true);
      expect(request.key?.slice(due.length)).toMatch(due.endsWith(':') ? /^[1-9]\d?$/ : /^$/);
    }
    for (const { method, key, path } of recorded.requests)
      if (method === 'POST' && !path.startsWith('/v2/')) expect(key).toBeTruthy();
  });
});
