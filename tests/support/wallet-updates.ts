/** Tickets in wallets, what changes about them, and the job that informs the wallets. */
import { expect } from 'vitest';
import { updatePasses } from '#server/orders/wallets/update-passes.ts';
import { editEventOf } from './edited-event.ts';
import { advanceTo, settlementOf } from './money.ts';
import { buyTickets, codesOf, eventOnSale, generalAdmission } from './people.ts';
import type { TestApp } from './test-app.ts';
import { newPhone, type SavedPass, savePass } from './wallet-phone.ts';

const DAY = 24 * 60 * 60 * 1000;

let buyers = 0;

export async function sell(app: TestApp, quantity = 1) {
  const event = await eventOnSale(app);
  const buyer = `wallet-${++buyers}@example.com`;
  const order = await buyTickets(app, event.eventId, generalAdmission(quantity), buyer);
  const token = order.details?.token ?? '';
  return { ...event, buyer, token, codes: codesOf(order) };
}

/** A ticket that a phone has. */
export async function sellToPhone(app: TestApp, quantity = 1) {
  const sold = await sell(app, quantity);
  const pass = await savePass(app, sold.token);
  return { ...sold, pass, phone: await phoneWith(app, pass) };
}

export async function phoneWith(app: TestApp, pass: SavedPass) {
  const phone = newPhone(app);
  expect((await phone.register(pass)).status).toBe(201);
  return phone;
}

/** Runs the job; the app's own may be at it, too. */
export async function updateWallets(app: TestApp): Promise<void> {
  await updatePasses(app.deps);
  await expect.poll(() => claimedPasses(app), { timeout: 5_000 }).toBe(0);
}

export async function claimedPasses(app: TestApp): Promise<number> {
  const passes = await app.db.selectFrom('walletPasses').select(['sendAt', 'attempts']).execute();
  // Read after the passes: a change that is found meanwhile is due at once, and not claimed.
  const now = app.now().getTime();
  return passes.filter(({ sendAt, attempts }) => {
    const seconds = sendAt === null ? 0 : (sendAt.getTime() - now) / 1000;
    return attempts === 0 && seconds > 0 && seconds <= 300;
  }).length;
}

async function startOf(app: TestApp, eventId: string): Promise<Date> {
  const { startsAt } = await app.db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select('startsAt')
    .executeTakeFirstOrThrow();
  return startsAt;
}

export async function moveBy(app: TestApp, event: Awaited<ReturnType<typeof sell>>, days: number): Promise<Date> {
  const { endsAt, startsAt } = await app.db
    .selectFrom('events')
    .where('id', '=', event.eventId)
    .select(['startsAt', 'endsAt'])
    .executeTakeFirstOrThrow();
  const moved = (at: Date) => new Date(at.getTime() + days * DAY).toISOString();
  await editEventOf(app, event, { startDate_startTime: moved(startsAt), endDate_endTime: moved(endsAt) });
  return startOf(app, event.eventId);
}

/** To that many days after the event's end. */
export async function advanceAfter(app: TestApp, { eventId }: { eventId: string }, days: number): Promise<void> {
  const settlement = await settlementOf(app, eventId);
  await advanceTo(app, new Date(settlement.getTime() + (days - 1) * DAY + 60_000));
}
