/** Tracking links: what organizers make, and what they count. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { addTrackingLink, removeTrackingLink, trackingLinks } from '#contract/app/records/links.ts';
import { LINKS_MAX } from '#domain/reports/tracking-links.ts';
import { dayOf } from '#domain/sales/sales-days.ts';
import { buildApp } from '#server/main/app.ts';
import { newId } from '#server/platform/ids.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { newLink } from '#tests/support/links.ts';
import { eventOnSale, expectOk, generalAdmission, onboardedOrganizer, pay } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages, WEB_ROOT } from '#tests/support/test-app-with-pages.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestAppWithPages();
});
afterAll(() => app?.close());

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

const linksOf = async ({ visitor, eventId }: Seller) => expectOk(await visitor.call(trackingLinks, { eventId })).links;

/** A buyer whose tab says where they came from. */
async function buy({ eventId }: Seller, from: string | undefined, quantity = 1): Promise<string> {
  const buyer = app.visitor();
  const cart = { eventId, cartId: newId(), cartItems: generalAdmission(quantity), from };
  const { url, id } = expectOk(await buyer.call(createCheckoutSession, cart));
  expect((await pay(buyer, url, 'sam@example.com')).status).toBe(303);
  return id;
}

const linkIdsOf = async ({ eventId }: Seller) =>
  (await app.db.selectFrom('orders').where('eventId', '=', eventId).select('linkId').orderBy('id').execute()).map(
    ({ linkId }) => linkId,
  );

const HOSTILE = ['nobody', 'x'.repeat(200), '<script>alert(1)</script>', '../../etc', '%00', 'poster poster', ''];

describe('A tracking link', () => {
  it('brings orders, tickets and gross to its row: 3 of 5 buyers came by it [LINK-1]', async () => {
    const seller = await eventOnSale(app);
    const linkId = await newLink(seller, 'poster', 'Poster at the station');
    for (const from of ['poster', undefined, 'poster', 'radio', 'poster']) await buy(seller, from, 2);
    await app.settle();

    expect(await linksOf(seller)).toEqual([
      {
        linkId,
        name: 'Poster at the station',
        slug: 'poster',
        url: `${app.publicUrl}/payment/${seller.eventId}?from=poster`,
        views: 0,
        orders: 3,
        tickets: 6,
        grossCents: 6 * 24_00,
      },
    ]);
    expect(await linkIdsOf(seller)).toEqual([linkId, null, linkId, null, linkId]);
  });

  it.each(HOSTILE)('is not %j, which a sale ignores [LINK-1]', async (from) => {
    const seller = await eventOnSale(app);
    await newLink(seller, 'poster');
    await buy(seller, from);

    expect(await linkIdsOf(seller)).toEqual([null]);
  });

  it('of another event, or one that was removed, counts nothing more and keeps its orders [LINK-1]', async () => {
    const seller = await eventOnSale(app);
    const other = await eventOnSale(app);
    const { visitor, eventId } = seller;
    const linkId = await newLink(seller, 'poster');
    await newLink(other, 'radio');
    await buy(seller, 'poster');
    await buy(seller, 'radio');

    expectOk(await visitor.call(removeTrackingLink, { eventId, linkId }));
    // The event is read again a moment later.
    await app.db.updateTable('events').set({ title: 'Basement Brass' }).where('id', '=', eventId).execute();
    await expect.poll(async () => (await buy(seller, 'poster'), (await linkIdsOf(seller)).at(-1))).toBeNull();

    expect(await linksOf(seller)).toEqual([]);
    expect((await linkIdsOf(seller)).slice(0, 2)).toEqual([linkId, null]);
    expect(await visitor.call(removeTrackingLink, { eventId, linkId })).toMatchObject({
      status: 404,
      body: errorBody('link.unknown'),
    });
    expect(await newLink(seller, 'poster')).not.toBe(linkId);
  });

  it('has an ending of its own, which is short and plain [LINK-1]', async () => {
    const seller = await eventOnSale(app);
    const { visitor, eventId } = seller;
    const add = (name: string, slug: string) => visitor.call(addTrackingLink, { eventId, name, slug });
    expectOk(await add('Poster', ' Poster '));
    expect((await linksOf(seller)).map(({ slug }) => slug)).toEqual(['poster']);

    expect(await add('Another', 'poster')).toMatchObject({ status: 409, body: errorBody('link.slug-taken') });
    for (const slug of HOSTILE.slice(1))
      expect(await add('x', slug)).toMatchObject({ status: 400, body: { code: 'form.invalid' } });
    for (const name of ['', '\u200b', 'x'.repeat(61)])
      expect(await add(name, 'radio')).toMatchObject({ status: 400, body: { code: 'form.invalid' } });
  });

  it(`is one of ${LINKS_MAX} at most [LINK-1]`, async () => {
    const { visitor, eventId } = await eventOnSale(app);
    const link = (index: number) => ({
      eventId,
      id: newId(),
      slug: `link-${index}`,
      name: 'x',
      createdAt: app.now(),
      removedAt: null,
    });
    await app.db
      .insertInto('trackingLinks')
      .values(Array.from({ length: LINKS_MAX - 1 }, (_, index) => link(index)))
      .execute();

    const both = await Promise.all(
      ['one', 'other'].map((slug) => visitor.call(addTrackingLink, { eventId, name: slug, slug })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body).toEqual(errorBody('link.too-many'));
  });

  it('of another organization is not found', async () => {
    const seller = await eventOnSale(app);
    const linkId = await newLink(seller, 'poster');
    const { visitor } = await onboardedOrganizer(app);

    for (const answer of [
      await visitor.call(trackingLinks, { eventId: seller.eventId }),
      await visitor.call(addTrackingLink, { eventId: seller.eventId, name: 'x', slug: 'x' }),
      await visitor.call(removeTrackingLink, { eventId: seller.eventId, linkId }),
    ])
      expect(answer).toMatchObject({ status: 404, body: errorBody('event.not-found') });
  });
});

describe('The page of an event', () => {
  const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Safari/604.1';

  async function open(origin: string, path: string) {
    const sent = request(origin + path, { headers: { 'user-agent': PHONE } }).end();
    const [reply]: IncomingMessage[] = await once(sent, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of reply ?? []) chunks.push(Buffer.from(chunk));
    return { status: reply?.statusCode, etag: reply?.headers.etag, body: Buffer.concat(chunks).toString() };
  }

  it('has the same bytes and ETag with any `from`, and counts the views of links that exist [LINK-1 LINK-2]', async () => {
    const seller = await eventOnSale(app);
    const linkId = await newLink(seller, 'poster');
    const path = `/payment/${seller.eventId}`;
    const server = await buildApp({
      deps: app.deps,
      trustedProxies: 0,
      isReady: async () => true,
      webRoot: WEB_ROOT,
      plugins: [],
    });
    const origin = await server.listen({ port: 0, host: '127.0.0.1' });
    // Rendered, then from the cache.
    const plain = [await open(origin, path), await open(origin, path)];
    const queries = [
      'from=poster',
      'utm=1&from=Poster',
      'from=poster&x=1',
      ...HOSTILE.map((text) => `from=${encodeURIComponent(text)}`),
    ];
    const answers = [];
    for (const query of queries) answers.push(await open(origin, `${path}?${query}`));
    await server.close();

    expect(plain[1]).toEqual(plain[0]);
    for (const answer of answers) expect(answer).toEqual(plain[0]);
    expect(await linksOf(seller)).toMatchObject([{ linkId, views: 3 }]);
    const views = await app.db.selectFrom('trackingLinks').where('eventId', '=', seller.eventId).selectAll().execute();
    expect(Object.keys(views[0] ?? {}).sort()).toEqual(['createdAt', 'eventId', 'id', 'name', 'removedAt', 'slug']);
    expect(dayOf(app.now(), 'America/New_York')).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});
