/**
 * Tests every Stripe call of a capability under every fault, once and persistently. After recovery, the end state must
 * equal that of a run without faults.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callFaults } from '#sandbox/faults.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { heal } from '#tests/support/heal.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { planFault } from '#tests/support/money.ts';
import { buyTickets, eventOnSale, onboardedOrganizer } from '#tests/support/people.ts';
import { stripeDiscrepancies } from '#tests/support/stripe-discrepancies.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type Call, type Capability, newStage, performUnder, type Stage, tryEverything } from './capabilities.ts';

/** Longer than the Stripe client's timeout. */
const TOO_SLOW_MS = 10_500;
/** More attempts than one request and one job make. */
const PERSISTENT = 7;

function faultsOf(mode: (typeof callFaults)[number]): object[] {
  if (mode === 'slow') {
    return [
      { mode, times: 2, ms: 300 },
      { mode, times: 1, ms: TOO_SLOW_MS },
    ];
  }
  return [
    { mode, times: 1 },
    { mode, times: PERSISTENT },
  ];
}

interface Shop {
  app: TestApp;
  organizer: Actor;
}

/** One shop for all tests, replaced after a failure so that one error is reported once. */
function shopForTests(): () => Shop {
  let shop: Shop | undefined;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await shop?.app.close();
    shop = await openShop();
  });
  afterAll(() => shop?.app.close());
  return () => {
    if (!shop) throw new Error('the shop is not open yet');
    return shop;
  };
}

async function openShop(): Promise<Shop> {
  const app = await startTestApp();
  await fillBalance(app);
  const { email } = await onboardedOrganizer(app);
  return { app, organizer: await actorOf(app.db, email) };
}

/**
 * The platform bears disputes and Stripe's fees. Without other sales, payouts would wait for funds after a hundred
 * stages.
 */
async function fillBalance(app: TestApp): Promise<void> {
  const patrons = { ticketName: 'Patron', ticketDescription: 'Thank you', ticketPrice: 2000, ticketQuantity: 5 };
  const { eventId } = await eventOnSale(app, { tickets: [patrons] });
  await buyTickets(app, eventId, [{ ticketName: patrons.ticketName, quantity: 5 }]);
}

export function describeCalls(capabilities: readonly Capability[]): void {
  const shop = shopForTests();

  const rows = capabilities.flatMap((capability) =>
    capability.calls.flatMap((call) => callFaults.map((mode) => ({ capability, call, mode }))),
  );
  const named = rows.map((row): [string, string, string, (typeof rows)[number]] => [
    row.capability.name,
    nameOf(row.call),
    row.mode,
    row,
  ]);
  describe('calls to Stripe', () => {
    it.each(named)('%s: %s with %s', async (_name, _call, _mode, { capability, call, mode }) => {
      const stages: Stage[] = [];
      for (const trouble of faultsOf(mode)) {
        const stage = await newStage(shop().app, shop().organizer);
        await performUnder(stage, capability, call, trouble);
        stages.push(stage);
      }
      await expectHealed(shop().app, capability, stages);
    });
  });
}

/** Applies this mode to every delivery while the capability runs. */
export function describeWebhooks(capabilities: readonly Capability[], modes: readonly string[]): void {
  const shop = shopForTests();

  const rows = capabilities.flatMap((capability) =>
    modes.map((mode): [string, string, Capability] => [capability.name, mode, capability]),
  );
  describe("Stripe's webhooks", () => {
    it.each(rows)('%s, with all webhooks suffering %s', async (_name, webhook, capability) => {
      const stage = await newStage(shop().app, shop().organizer);
      await planFault(shop().app, { webhook, times: 500, ms: 120_000 });
      await capability.prepare(stage);
      await capability.perform(stage);
      await tryEverything(shop().app);
      await expectHealed(shop().app, capability, [stage]);
    });
  });
}

async function expectHealed(app: TestApp, capability: Capability, stages: readonly Stage[]): Promise<void> {
  for (const stage of stages) await capability.again(stage);
  await heal(app);

  expect(await brokenInvariants(app.db)).toEqual([]);
  expect(await stripeDiscrepancies(app)).toEqual([]);
  for (const { eventId } of stages) {
    const [tickets, refunds, payouts, disputes] = await Promise.all(
      (['tickets', 'refunds', 'payouts', 'disputes'] as const).map((table) => statesOf(app, table, eventId)),
    );
    expect({ tickets, refunds, payouts, disputes }).toEqual({ disputes: [], ...capability.ends });
  }
}

type Table = 'tickets' | 'refunds' | 'payouts' | 'disputes';

async function statesOf({ db }: TestApp, table: Table, eventId: string): Promise<string[]> {
  const rows = await db.selectFrom(table).where('eventId', '=', eventId).select('state').execute();
  return rows.map(({ state }) => state).sort();
}

const nameOf = ({ method, path, after }: Call) => `${method} ${path}${after ? ' when in doubt' : ''}`;
