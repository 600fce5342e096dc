/** The feed of changes: last states, possibly twice, and no gap. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { listChanges } from '#contract/v1/changes.ts';
import { listOrders } from '#contract/v1/orders.ts';
import { listTickets } from '#contract/v1/tickets.ts';
import { callV1, newApiKey, type V1Body } from '#tests/support/api-keys.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

interface Change {
  object: 'event' | 'order' | 'ticket';
  event: { id: string } | null;
  order: { id: string } | null;
  ticket: { id: string; state: string; holder: { name: string | null; email: string | null } } | null;
}

/** A program that keeps the last state of everything. */
function follower(key: string, fields: Record<string, string> = {}) {
  const known = new Map<string, Change>();
  let after: string | null = null;
  return {
    known,
    cursor: () => after,
    ids: (object: Change['object']) =>
      [...known.values()]
        .filter((change) => change.object === object)
        .map((change) => change[object]?.id)
        .sort(),
    /** Reads on until nothing is left. Returns what came. */
    async follow(limit = 3): Promise<Change[]> {
      const came: Change[] = [];
      for (let hasMore = true; hasMore; ) {
        const { status, body }: { status: number; body: V1Body } = await callV1(app, key, listChanges, {
          ...fields,
          limit: String(limit),
          ...(after !== null && { after }),
        });
        expect(status).toBe(200);
        const changes = body.data as unknown as Change[];
        for (const change of changes) known.set(String(change[change.object]?.id), change);
        came.push(...changes);
        after = body.next_cursor;
        hasMore = body['has_more'] === true;
      }
      return came;
    },
  };
}

async function seller() {
  const event = await eventOnSale(app);
  const key = await newApiKey(event.visitor);
  const buy = (quantity = 1) => buyTickets(app, event.eventId, generalAdmission(quantity));
  const idsOf = async (call: typeof listOrders | typeof listTickets) =>
    (await callV1(app, key, call, { limit: '100' })).body.data.map(({ id }) => id).sort();
  return { ...event, key, buy, idsOf };
}

describe('The feed of changes', () => {
  it('begins with everything, then has what changed [FEED-1]', async () => {
    const { key, eventId, buy, idsOf, attendantCode } = await seller();
    const feed = follower(key);
    const [code = ''] = codesOf(await buy(3));
    await feed.follow();
    expect([feed.ids('event'), feed.ids('order'), feed.ids('ticket')]).toEqual([
      [eventId],
      await idsOf(listOrders),
      await idsOf(listTickets),
    ]);
    await feed.follow();

    const device = await attendantOf(app, eventId, attendantCode);
    expectOk(await device.call(checkGuest, { eventId, confirmationNumber: code, scanId: randomUUID() }));
    const came = await feed.follow();

    expect(came.filter(({ ticket }) => ticket?.state === 'scanned')).toHaveLength(1);
  });

  it('has a ticket whose guest got a name [FEED-1]', async () => {
    const { key, eventId, buy } = await seller();
    await buy();
    const feed = follower(key);
    await feed.follow();
    await feed.follow();

    await sql`
      insert into order_guests (event_id, order_id, position, name, answers, ticket_id)
      select event_id, order_id, 1, 'Ada', '{}', id from tickets where event_id = ${eventId}`.execute(app.db);

    expect((await feed.follow()).map(({ ticket }) => ticket?.holder.name)).toContain('Ada');
  });

  it('leaves no gap while transactions stay open [FEED-1]', async () => {
    const { key, buy, idsOf } = await seller();
    const feed = follower(key);
    await buy(2);
    await feed.follow();

    await app.db.transaction().execute(async (older) => {
      await sql`select pg_current_xact_id()`.execute(older);
      const { sessionId } = await buy(2);
      await feed.follow();
      await older
        .updateTable('tickets')
        .set({ buyerEmail: 'late@example.com' })
        .where('orderId', 'in', (eb) => eb.selectFrom('orders').where('sessionId', '=', sessionId).select('id'))
        .execute();
      await buy(1);
      await feed.follow();
    });
    await feed.follow();

    expect(feed.ids('ticket')).toEqual(await idsOf(listTickets));
    expect([...feed.known.values()].filter(({ ticket }) => ticket?.holder.email === 'late@example.com')).toHaveLength(
      2,
    );
  });

  it('walked in small steps during sales on and on has every ticket [FEED-1]', async () => {
    const { key, buy, idsOf } = await seller();
    const feed = follower(key);
    let isOver = false;
    const sales = Promise.all(
      [1, 2].map(async () => {
        for (let order = 0; order < 3; order++) await buy(2);
      }),
    ).finally(() => {
      isOver = true;
    });
    while (!isOver) await feed.follow(2);
    await sales;
    await feed.follow(2);

    expect(feed.ids('ticket')).toEqual(await idsOf(listTickets));
    expect(feed.ids('order')).toEqual(await idsOf(listOrders));
  });

  it('of one event has no other one [FEED-1]', async () => {
    const { key, eventId, buy, ...owner } = await seller();
    await buy();
    const other = await newDraft(app, owner);
    const feed = follower(key, { event_id: other.eventId });
    await feed.follow();

    expect([feed.ids('event'), feed.ids('order')]).toEqual([[other.eventId], []]);
    const { body } = await callV1(app, key, listChanges, { event_id: eventId, after: feed.cursor() ?? '' });
    expect(body.error.code).toBe('changes.cursor-reset');
  });

  it('has orders and tickets only for keys that may read them [FEED-1]', async () => {
    const { visitor, eventId, buy } = await seller();
    await buy();
    const feed = follower(await newApiKey(visitor, { scopes: ['events:read'] }));
    await feed.follow();

    expect([...feed.known.keys()]).toEqual([eventId]);
  });

  it('starts over with a cursor that is invented, of another organization or from before a restore [FEED-1]', async () => {
    const { key } = await seller();
    const feed = follower(key);
    await feed.follow();
    const own = feed.cursor() ?? '';
    const stranger = await seller();
    const answerTo = async (asking: string, after: string) => {
      const { status, body } = await callV1(app, asking, listChanges, { after });
      return [status, body.error?.code];
    };
    const changed = (change: (parts: string[]) => void) => {
      const parts: string[] = JSON.parse(Buffer.from(own, 'base64url').toString());
      change(parts);
      return Buffer.from(JSON.stringify(parts)).toString('base64url');
    };

    const reset = [410, 'changes.cursor-reset'];
    expect(await answerTo(stranger.key, own)).toEqual(reset);
    for (const after of [
      'x',
      changed((parts) => parts.splice(3, 1, '99999999999')),
      changed((parts) => parts.splice(3, 1, '-1')),
      changed((parts) => parts.splice(0, 1, 'events')),
      changed((parts) => parts.pop()),
      changed((parts) => parts.splice(4, 3, 'order', 'event', 'no-order')),
    ])
      expect(await answerTo(key, after)).toEqual(reset);
    expect(await answerTo(key, own)).toEqual([200, undefined]);
    await sql`insert into restores (restored_at, reconciled_at) values (now(), now())`.execute(app.db);
    expect(await answerTo(key, own)).toEqual(reset);
  });
});
