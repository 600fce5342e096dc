import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { refundAccepted } from '#messages/refunds.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { Visitor } from '#tests/support/http-visitor.ts';
import { buyTickets, cardWith, codesOf } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { checkEndState } from './histories/check-end-state.ts';
import { SeededRandom } from './histories/seeded-random.ts';
import { insertEvent } from './insert-event.ts';
import { operationMismatches } from './two-servers/check-operations.ts';
import { type Operation, wasOverloaded } from './two-servers/http-client.ts';
import { gatherCrowd, startLoad } from './two-servers/load.ts';
import { actorsAt, openTwoServers, type TwoServers } from './two-servers/open-two-servers.ts';
import { pause } from './two-servers/pause.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Test card whose funds are available immediately. */
const AT_ONCE = '4000 0000 0000 0077';
const shifted = (seconds: number) => ({
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('two-servers/shifted-date.mjs', import.meta.url))}`,
  SHIFT_SECONDS: String(seconds),
});

let stage: TwoServers;
beforeAll(async () => {
  stage = await openTwoServers([shifted(600), shifted(-600)]);
});
afterAll(() => stage?.close());

describe('two servers with clocks ten minutes fast and ten minutes slow', () => {
  it("close refunds and open payouts by the database's clock", async () => {
    // Ends one day ago, plus and minus five minutes.
    const over = await soldEvent(-5 * MINUTE);
    const almost = await soldEvent(5 * MINUTE);
    await stage.advance((2 + 24) * 60 * 60);

    for (const [index, { url }] of stage.servers.entries()) {
      const ask = (eventId: string, confirmationCode = '') =>
        new Visitor(url).call(requestRefund, { eventId, confirmationCode });
      expect((await ask(over.eventId, over.codes[index])).body.code).toBe('refund.window-closed');
      expect((await ask(almost.eventId, almost.codes[index])).body.msg).toBe(refundAccepted);
    }
    const answers = [];
    for (const { eventId } of [almost, over])
      for (const organizer of (await actorsAt(stage, eventId)).organizers)
        answers.push((await organizer.call(requestPayout, { eventId })).status);
    expect(answers).toEqual([409, 409, 200, 409]);
  });

  it('work as one: sessions stay valid, webhooks are accepted and the money adds up', async () => {
    const crowd = await gatherCrowd(stage, new SeededRandom(Number(process.env['FAULTS_SEED'] ?? 1)));
    const load = startLoad(crowd);
    await pause(4_000);
    await load.stop();

    const isWrong = (one: Operation) =>
      [0, 401, 403].includes(one.status) || (one.status >= 500 && !wasOverloaded(one));
    expect(crowd.operations.filter(isWrong)).toEqual([]);
    expect(crowd.operations.filter(({ is }) => is === 'done').length).toBeGreaterThan(0);
    expect(await webhookStatuses()).toEqual(['200']);
    const found = [
      ...(await operationMismatches(crowd)),
      ...(await checkEndState(stage, crowd.histories, crowd.timeline)),
    ];
    expect(found).toEqual([]);
    for (const server of stage.servers)
      expect(server.output()).toMatch(/clock of this machine is not that of the database/);
  });
});

/** Response statuses of all webhook deliveries. */
async function webhookStatuses(): Promise<string[]> {
  const { rows } = await sql<{ answer: string }>`select distinct answer from sandbox.delivery_attempts`.execute(
    stage.db,
  );
  return rows.map(({ answer }) => answer);
}

async function soldEvent(laterMs: number) {
  const eventId = newPublicId();
  const now = stage.now();
  const types = [{ name: 'Floor', priceCents: 2400, quantity: 100 }];
  const endsAt = new Date(now.getTime() + 2 * HOUR + laterMs);
  await insertEvent(stage.db, { now, eventId, ...stage.organizer, title: 'Edges', endsAt, types });
  const order = await buyTickets(
    siteOf(stage.servers[0]),
    eventId,
    [{ ticketName: 'Floor', quantity: 4 }],
    'edge@example.com',
    cardWith(AT_ONCE),
  );
  return { eventId, codes: codesOf(order) };
}
