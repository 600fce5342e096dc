import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent, editEvent, publicEvent } from '#contract/app/events.ts';
import { eventCancelled, eventEnded } from '#messages/sales/event-page.ts';
import { buildApp } from '#server/main/app.ts';
import { newId } from '#server/platform/ids.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { at } from '#tests/support/money.ts';
import { freezeMonotonicClock } from '#tests/support/monotonic-clock.ts';
import { eventForm, eventOnSale, generalAdmission, openCheckout } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages } from '#tests/support/test-app-with-pages.ts';

const VISIBLE_WITHIN_MS = 500;

let app: TestApp;
beforeAll(async () => {
  app = await startTestAppWithPages();
});
afterAll(() => app?.close());

const pathsOf = (eventId: string) => ({ reply: `/api/public/event/${eventId}`, page: `/payment/${eventId}` });

/** The raw response, without decompression. */
async function fetchRaw(path: string, headers: Record<string, string> = {}) {
  const [reply]: IncomingMessage[] = await once(get(app.publicUrl + path, { headers }), 'response');
  if (!reply) throw new Error('no reply');
  return { status: reply.statusCode, headers: reply.headers, bytes: await buffer(reply) };
}

const textAt = async (path: string) => (await fetchRaw(path)).bytes.toString();

/** Bypasses this process's cache, like a change by another process. */
async function renameEvent(eventId: string, title: string): Promise<void> {
  await app.db.updateTable('events').set({ title }).where('id', '=', eventId).execute();
}

/** Resolves when the listening connection is lost, and again when it is restored. */
function nextChangeOfAnything(): Promise<void> {
  return new Promise((resolve) => {
    app.deps.changes.onChange(({ what }) => {
      if (what === 'anything') resolve();
    });
  });
}

describe.each(['reply', 'page'] as const)('the %s of an event', (kind) => {
  it('sets caching headers, and returns 304 for a matching ETag', async () => {
    const { eventId } = await eventOnSale(app);
    const path = pathsOf(eventId)[kind];
    const first = await fetchRaw(path);
    const etag = String(first.headers['etag']);

    expect(first.headers['cache-control']).toBe(
      { reply: 'public, max-age=1, stale-while-revalidate=5', page: 'public, max-age=0, s-maxage=1' }[kind],
    );
    expect(first.headers['vary']).toBe('accept-encoding');
    for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*'])
      expect(await fetchRaw(path, { 'if-none-match': known })).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
    expect(await fetchRaw(path, { 'if-none-match': '"other"' })).toMatchObject({ status: 200 });
    await renameEvent(eventId, 'Attic Strings');
    await app.deps.changes.catchUp();
    expect(await fetchRaw(path, { 'if-none-match': etag })).toMatchObject({ status: 200 });
  });

  it('has the same content in every encoding, and uses the best accepted one', async () => {
    const { eventId } = await eventOnSale(app);
    const path = pathsOf(eventId)[kind];
    const plain = await fetchRaw(path);
    const decompress = { br: brotliDecompressSync, gzip: gunzipSync };

    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['*', 'br'],
    ] as const) {
      const compressed = await fetchRaw(path, { 'accept-encoding': accepted });
      expect(compressed.headers['content-encoding']).toBe(encoding);
      expect(decompress[encoding](compressed.bytes)).toEqual(plain.bytes);
      expect(compressed.bytes.length).toBeLessThan(plain.bytes.length);
    }
    expect(
      (await fetchRaw(path, { 'accept-encoding': 'deflate, gzip;q=0' })).headers['content-encoding'],
    ).toBeUndefined();
  });

  it('has the same headers whether it is cached or rendered', async () => {
    const { eventId } = await eventOnSale(app);
    const path = pathsOf(eventId)[kind];
    const { headers: rendered } = await fetchRaw(path);
    const { headers: cached } = await fetchRaw(path);

    expect(rendered['x-request-id']).toBeTruthy();
    expect(cached['x-request-id']).toBeUndefined();
    for (const name of ['x-request-id', 'date']) for (const headers of [rendered, cached]) delete headers[name];
    expect(cached).toEqual(rendered);
    expect(cached['content-security-policy']).toContain("default-src 'none'");
    expect((await fetchRaw(`${path}?utm_source=mail`)).headers['etag']).toBe(cached['etag']);
  });

  it("shows another process's changes within half a second", async () => {
    const { eventId } = await eventOnSale(app);
    const path = pathsOf(eventId)[kind];
    const watch = freezeMonotonicClock();
    await textAt(path);
    const wasShownPromptly: boolean[] = [];
    for (let change = 0; change < 14; change++) {
      await renameEvent(eventId, `Change ${change}.`);
      await app.deps.changes.catchUp();
      wasShownPromptly.push((await textAt(path)).includes(`Change ${change}.`));
    }

    // More consecutive changes than are shown promptly.
    expect(wasShownPromptly).toContain(false);
    await renameEvent(eventId, 'Last change.');
    await app.deps.changes.catchUp();
    watch.advance(VISIBLE_WITHIN_MS);
    // The clock stands still; a refresh that was under way may take its time on a busy machine.
    await expect.poll(() => textAt(path)).toContain('Last change.');
  });

  it('shows changes made while the notification channel was down', async () => {
    const { eventId } = await eventOnSale(app);
    const path = pathsOf(eventId)[kind];
    const watch = freezeMonotonicClock();
    await textAt(path);
    const lost = nextChangeOfAnything();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
               where application_name = 'handstamp changes' and datname = current_database()`.execute(app.db);
    await lost;
    const restored = nextChangeOfAnything();
    await textAt(path);
    await renameEvent(eventId, 'Meanwhile');

    watch.advance(VISIBLE_WITHIN_MS);
    expect(await textAt(path)).toContain('Meanwhile');
    await restored;
    await textAt(path);
    await renameEvent(eventId, 'Thereafter');
    await app.deps.changes.catchUp();
    expect(await textAt(path)).toContain('Thereafter');
  });

  it('shows the end of the event without a change to it', async () => {
    const { eventId } = await eventOnSale(app);
    const path = pathsOf(eventId)[kind];
    const { endsAt } = await app.db
      .updateTable('events')
      .set({ startsAt: sql<Date>`business_now()`, endsAt: sql<Date>`business_now() + interval '30 seconds'` })
      .where('id', '=', eventId)
      .returning('endsAt')
      .executeTakeFirstOrThrow();
    await app.deps.changes.catchUp();
    const watch = freezeMonotonicClock();
    expect(await textAt(path)).toContain('Basement Brass');
    watch.advance(30_000);

    expect(await at(app, endsAt, () => textAt(path))).toContain(eventEnded);
  });
});

describe('an organizer who changes an event', () => {
  it('sees an edit, a sale, a photo, a new organization name and a cancellation immediately [EVT-6 BUY-6]', async () => {
    const { eventId, visitor } = await eventOnSale(app, {
      tickets: [{ ticketName: 'General admission', ticketDescription: 'x', ticketPrice: 24, ticketQuantity: 8 }],
    });
    const { reply, page } = pathsOf(eventId);
    for (const path of [reply, page]) expect(await textAt(path)).toContain('Basement Brass');

    const form = eventForm(app, { title: 'Attic Strings' });
    await visitor.call(editEvent, { ...form, tickets: form.tickets.slice(0, 1), eventId });
    for (const path of [reply, page]) expect(await textAt(path)).toContain('Attic Strings');

    const tickets = form.tickets.slice(0, 1).map((ticket) => ({ ...ticket, ticketDescription: 'Up front' }));
    await visitor.call(editEvent, { ...form, tickets, eventId });
    for (const path of [reply, page]) expect(await textAt(path)).toContain('Up front');

    await app.db.updateTable('ticketTypes').set({ quantity: 8 }).where('eventId', '=', eventId).execute();
    await openCheckout(app, eventId, generalAdmission(3));
    await app.deps.changes.catchUp();
    expect((await app.call(publicEvent, { eventId })).body).toMatchObject({ tickets: [{ available: 5 }] });

    const photo = { eventId, id: newId(), position: 0, fileName: 'brass.webp', createdAt: app.now() };
    await app.db.insertInto('eventPhotos').values(photo).execute();
    await app.deps.changes.catchUp();
    for (const path of [reply, page]) expect(await textAt(path)).toContain('brass.webp');

    await app.db
      .updateTable('organizations')
      .set({ name: 'Loft Concerts' })
      .where('id', '=', (eb) => eb.selectFrom('events').where('id', '=', eventId).select('organizationId'))
      .execute();
    await app.deps.changes.catchUp();
    for (const path of [reply, page]) expect(await textAt(path)).toContain('Loft Concerts');

    await visitor.call(cancelEvent, { eventId });
    for (const path of [reply, page]) expect(await textAt(path)).toContain(eventCancelled);
  });
});

it('says when the doors open as soon as the organizer chose a time [WINDOW-1]', async () => {
  const event = await eventOnSale(app);
  const { reply, page } = pathsOf(event.eventId);
  for (const path of [reply, page]) expect(await textAt(path)).not.toMatch(/doors/i);
  const events = app.db.selectFrom('events').where('id', '=', event.eventId);
  const { startsAt } = await events.select('startsAt').executeTakeFirstOrThrow();
  const before = (hours: number) => new Date(startsAt.getTime() - hours * 60 * 60 * 1000).toISOString();

  await editEventOf(app, event, { checkInOpens: before(1) });
  expect(await app.call(publicEvent, { eventId: event.eventId })).toMatchObject({ body: { doorsOpenAt: before(1) } });
  const text = await textAt(page);
  expect(text).toContain('Doors open');
  expect(text).toContain('"doorTime"');

  await editEventOf(app, event, { checkInOpens: before(12) });
  for (const path of [reply, page]) expect(await textAt(path)).not.toMatch(/doors/i);
});

it('changes by itself when sales of a ticket type begin and end [STOCK-4]', async () => {
  const [from, until] = [30, 60].map((seconds) => new Date(app.now().getTime() + seconds * 1000));
  if (!from || !until) throw new Error('two times');
  const [general, balcony] = eventForm(app).tickets;
  if (!general || !balcony) throw new Error('the form has two ticket types');
  const window = { salesFrom: from.toISOString(), salesUntil: until.toISOString() };
  const { eventId } = await eventOnSale(app, { tickets: [{ ...general, ...window }, balcony] });
  const { page } = pathsOf(eventId);
  const closed = async () => {
    const { body } = await app.call(publicEvent, { eventId });
    return 'tickets' in body ? body.tickets.map((ticket) => ticket.closed) : [];
  };
  const offered = async () => /"offers":\[\{.*?"availability":"https:..schema.org.(\w+)"/.exec(await textAt(page))?.[1];

  const shown = async () => [await closed(), await offered()];

  // Nothing but the time that passes refreshes the page.
  await app.deps.changes.catchUp();
  const watch = freezeMonotonicClock();
  expect(await shown()).toEqual([['not-yet', undefined], 'PreOrder']);
  watch.advance(30_000);
  expect(await at(app, from, shown)).toEqual([[undefined, undefined], 'InStock']);
  watch.advance(30_000);
  expect(await at(app, until, shown)).toEqual([['over', undefined], 'SoldOut']);
});

describe('change notifications', () => {
  it('are sent only when the shown availability changes', async () => {
    const { eventId } = await eventOnSale(app);
    const notified: string[] = [];
    app.deps.changes.onChange((change) => {
      if (change.what === 'event' && change.eventId === eventId) notified.push(change.eventId);
    });
    const type = { eventId, name: 'General admission' };
    for (let reserved = 1; reserved <= 100; reserved++) {
      await app.db
        .updateTable('ticketTypes')
        .set({ reserved })
        .where('eventId', '=', type.eventId)
        .where('name', '=', type.name)
        .execute();
    }
    await app.deps.changes.catchUp();

    // 90, 80 ... 20, then each one down to 0; the first 10 show 90.
    expect(notified).toHaveLength(1 + 7 + 20);
  });
});

describe('an unknown event', () => {
  it('is never cached, and always gets the same message [BUY-6]', async () => {
    for (const [path, message] of Object.entries({
      '/api/public/event/AAAAAAAAAAAAAAAA': JSON.stringify(errorBody('event.not-found')),
      '/api/public/event/AAAAAAAAAAAAAAA': JSON.stringify(errorBody('event.not-found')),
      '/api/public/event/%00': JSON.stringify(errorBody('event.not-found')),
      '/payment/AAAAAAAAAAAAAAAA': 'Event not found',
    })) {
      for (let attempt = 0; attempt < 2; attempt++) {
        const { status, bytes, headers } = await fetchRaw(path);
        expect({ path, status }).toEqual({ path, status: 404 });
        expect(bytes.toString()).toContain(message);
        expect(headers['cache-control']).toMatch(/^no-/);
      }
    }
  });
});

describe('a closing server', () => {
  it('answers requests on open connections, then closes them', async () => {
    const { eventId } = await eventOnSale(app);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async () => {
      const [reply]: IncomingMessage[] = await once(get(origin + pathsOf(eventId).reply, { agent }), 'response');
      reply?.resume();
      return { status: reply?.statusCode, connection: reply?.headers.connection };
    };
    const whileClosing: unknown[] = [];
    const server = await buildApp({
      deps: app.deps,
      trustedProxies: 0,
      isReady: async () => true,
      webRoot: null,
      plugins: [async (scope) => void scope.addHook('preClose', async () => void whileClosing.push(await ask()))],
    });
    const origin = await server.listen({ port: 0, host: '127.0.0.1' });

    for (let attempt = 0; attempt < 2; attempt++)
      expect(await ask()).toEqual({ status: 200, connection: 'keep-alive' });
    await server.close();
    expect(whileClosing).toEqual([{ status: 200, connection: 'close' }]);
    agent.destroy();
  });
});
