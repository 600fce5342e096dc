import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent, editEvent, publicEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { settlesAt } from '#domain/settlement.ts';
import { eventCancelled, eventEnded } from '#messages/sales/event-page.ts';
import { buyTickets, codesOf, eventForm, eventOnSale, generalAdmission, openCheckout } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages, WEB_ROOT } from '#tests/support/test-app-with-pages.ts';

const TRICKY = 'Fish & </script><b>chips</b> "$&"';

let app: TestApp;
beforeAll(async () => {
  app = await startTestAppWithPages();
});
afterAll(() => app?.close());

async function pageAt(path: string) {
  const reply = await fetch(app.publicUrl + path, { headers: { accept: 'text/html' } });
  const html = await reply.text();
  const block = (type: string) =>
    [...html.matchAll(new RegExp(`<script type="${type}"[^>]*>(.*?)</script>`, 'gs'))].map(
      ([, json = '']): Record<string, unknown> => JSON.parse(json),
    );
  return {
    status: reply.status,
    html,
    title: /<title>(.*?)<\/title>/.exec(html)?.[1],
    h1: /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1]?.replace(/<[^>]*>/g, ''),
    meta: (name: string) => new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1],
    structuredData: block('application/ld\\+json'),
    embedded: block('application/json')[0],
    isHidden: /<meta name="robots" content="noindex">/.test(html),
  };
}

describe('server-rendered pages', () => {
  it.each([
    ['/', 'Sell it. Scan it. Get paid.', 'Handstamp'],
    ['/FAQ', 'Frequently asked questions', 'FAQ · Handstamp'],
    ['/faq', 'Frequently asked questions', 'FAQ · Handstamp'],
    ['/legal', 'Terms And Conditions', 'Terms And Conditions · Handstamp'],
    ['/Legal', 'Terms And Conditions', 'Terms And Conditions · Handstamp'],
    ['/find-tickets', 'Find your tickets', 'Find your tickets · Handstamp'],
  ])('renders %s with its heading, title and description [HOME-1 NAV-8]', async (path, heading, title) => {
    const page = await pageAt(path);
    expect(page).toMatchObject({ status: 200, h1: heading, title, isHidden: false });
    expect(page.meta('description')).toBeTruthy();
    expect(page.html).toContain('<link rel="canonical"');
  });

  it('has the offer on the home page, and the content of the FAQ and legal pages [HOME-1 HOME-2 HOME-3 HOME-4]', async () => {
    const landing = await pageAt('/');
    for (const words of ['$15', '2 active events', '24/7 support', 'Next-day payouts', 'Ticket fees are not included.'])
      expect(landing.html).toContain(words);
    expect(landing.html.match(/Coming soon/g)).toHaveLength(2);
    expect(landing.html).toContain('href="/Register"');
    const faq = await pageAt('/FAQ');
    expect(faq.html).toContain('For event owners');
    expect(faq.html).toContain('For attendees');
    expect(faq.structuredData[0]).toMatchObject({ '@type': 'FAQPage' });
    const legal = await pageAt('/legal');
    for (const words of ['2/25/2024', '2/25/2025', 'children under 13', '18']) expect(legal.html).toContain(words);
  });

  it('reads prices and limits from the plans, on every page that names them [PLAN-2]', async () => {
    const setPrice = (processingCents: number) =>
      app.db.updateTable('plans').set({ processingCents }).where('id', '=', 'standard').execute();
    const rates = { standardBp: 150, standardFlatCents: 40, largeBp: 125, largeFlatCents: 25 };
    const pro = { name: 'Pro', activeEventsMax: 12, processingCents: 30_50, ...rates, largeFrom: 250 };
    await app.db
      .insertInto('plans')
      .values({ id: 'pro', ...pro, isPublic: true, retiredAt: null })
      .execute();
    await setPrice(19_00);
    const pages = await Promise.all(['/', '/FAQ', '/legal'].map(async (path) => (await pageAt(path)).html));
    await app.db.deleteFrom('plans').where('id', '=', 'pro').execute();
    await setPrice(15_00);

    const [landing = ''] = pages;
    for (const html of pages)
      for (const words of ['$19', '2.0% + $0.75', '$30.50', '12 active events', '1.5% + $0.40', 'Sell 250 or more'])
        expect(html).toContain(words);
    expect(landing.match(/Coming soon/g)).toHaveLength(1);
    expect((await pageAt('/')).html).toContain('$15');
  });

  it('contains no inline script, style element or style attribute, which the policy forbids', async () => {
    const { eventId } = await eventOnSale(app);
    for (const path of ['/', '/FAQ', '/legal', `/payment/${eventId}`, '/nowhere']) {
      const { html } = await pageAt(path);
      expect(html).not.toMatch(/\sstyle=|<style/);
      expect(html).not.toMatch(/<script(?![^>]*(?:src=|type="application\/))/);
      expect(html).not.toMatch(/\son[a-z]+=/);
    }
  });

  it('sends a page with brotli compression if accepted', async () => {
    const reply = await fetch(`${app.publicUrl}/`, { headers: { 'accept-encoding': 'br' } });
    expect(reply.headers.get('content-encoding')).toBe('br');
    expect(await reply.text()).toContain('Sell it.');
  });

  it.each([
    '/success',
    '/scanner',
    '/profile',
    '/door/x',
    '/events/new',
    '/events/x/page',
    '/events/x/tickets',
    '/dashboard',
    '/reset-password/x',
    '/refund/x/y',
    '/checked-in/x/y',
    '/checkout/x',
    '/refund/nobody-knows-it',
    '/report/x',
  ])('hides %s from search engines', async (path) => expect((await pageAt(path)).isHidden).toBe(true));

  it.each(['/reset-password/x', '/refund/x/y', '/checked-in/x/y', '/checkout/x'])(
    'lets the browser render %s, which contains a secret',
    async (path) => expect((await pageAt(path)).status).toBe(200),
  );

  it.each(['/nowhere', '/payment/%E0%A4%A', '/refund/%ff?x=1', '/%zz'])(
    'answers the dead link %s with 404 and a page',
    async (path) => {
      expect(await pageAt(path)).toMatchObject({ status: 404, h1: 'We can&#x27;t find that page.', isHidden: true });
    },
  );

  it('answers an undecodable API URL with JSON', async () => {
    const reply = await fetch(`${app.publicUrl}/api/public/event/%E0%A4%A`, { headers: { accept: 'text/html' } });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toEqual(expect.objectContaining({ code: 'request.unreadable' }));
  });
});

describe('event page', () => {
  it('embeds the reply of the API call, escaped [BUY-1 BUY-6]', async () => {
    const { eventId } = await eventOnSale(app, { title: TRICKY, description: `${TRICKY}\n<!-- \u2028` });
    const page = await pageAt(`/payment/${eventId}`);
    const { body } = await app.call(publicEvent, { eventId });

    expect(page.status).toBe(200);
    expect(page.embedded).toEqual({ event: { eventId, reply: body } });
    expect(page.title).toBe('Fish &amp; &lt;/script&gt;&lt;b&gt;chips&lt;/b&gt; &quot;$&amp;&quot; · Handstamp');
    expect(page.html).not.toContain('<b>chips');
  });

  it('has structured data with time, place and prices for search engines [BUY-1]', async () => {
    const { eventId } = await eventOnSale(app, {
      timezone: 'America/Los_Angeles',
      startDate_startTime: '2031-06-12T20:00',
      endDate_endTime: '2031-06-12T23:30',
      tickets: [
        { ticketName: 'Many', ticketDescription: 'x', ticketPrice: 24, ticketQuantity: 100 },
        { ticketName: 'Few', ticketDescription: 'x', ticketPrice: '38.50', ticketQuantity: 10 },
        { ticketName: 'None', ticketDescription: 'x', ticketPrice: 1, ticketQuantity: 1 },
        { ticketName: 'Too few', ticketDescription: 'x', ticketPrice: 1, ticketQuantity: 5, minPerOrder: '3' },
      ],
    });
    await buyTickets(app, eventId, [
      { ticketName: 'None', quantity: 1 },
      { ticketName: 'Too few', quantity: 3 },
    ]);
    const page = await pageAt(`/payment/${eventId}`);
    const url = `${app.publicUrl}/payment/${eventId}`;

    expect(page.structuredData[0]).toMatchObject({
      '@type': 'Event',
      name: 'Basement Brass',
      startDate: '2031-06-12T20:00:00-07:00',
      endDate: '2031-06-12T23:30:00-07:00',
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: {
        '@type': 'Place',
        address: { streetAddress: '38 Withers St', addressRegion: 'NY', postalCode: '11211' },
      },
      organizer: { name: 'Cooperage Nights' },
      image: [`${app.publicUrl}/og/${eventId}.png`],
      offers: [
        { name: 'Many', price: '24.00', priceCurrency: 'USD', availability: 'https://schema.org/InStock', url },
        { name: 'Few', price: '38.50', availability: 'https://schema.org/LimitedAvailability' },
        { name: 'None', price: '1.00', availability: 'https://schema.org/SoldOut' },
        { name: 'Too few', availability: 'https://schema.org/SoldOut' },
      ],
    });
    expect(page.meta('og:image')).toBe(`${app.publicUrl}/og/${eventId}.png`);
    expect(page.html).toContain(`<link rel="canonical" href="${url}">`);
    expect(page.html).toContain('Thursday, June 12, 2031 at 8:00 PM PDT');
  });

  it('shows only a message once the event is cancelled, ended or unknown [BUY-6 LIFE-12]', async () => {
    const cancelled = await eventOnSale(app);
    expect((await pageAt(`/payment/${cancelled.eventId}`)).h1).toBe('Basement Brass');
    await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId });
    await app.settle();
    const cancelledPage = await pageAt(`/payment/${cancelled.eventId}`);
    expect(cancelledPage).toMatchObject({ status: 200, h1: eventCancelled, isHidden: true });
    expect(cancelledPage.structuredData[0]).toMatchObject({
      eventStatus: 'https://schema.org/EventCancelled',
      offers: [],
    });
    expect(cancelledPage.html).toContain('Request a Refund');
    expect(cancelledPage.html).toContain('I am an Attendant');
    expect(cancelledPage.html).not.toContain('Add to Cart');

    const unknown = await pageAt('/payment/AAAAAAAAAAAAAAAA');
    expect(unknown).toMatchObject({ status: 404, h1: 'Event not found', isHidden: true });
    expect(await pageAt('/payment/%00')).toMatchObject({ status: 404, h1: 'Event not found', html: unknown.html });
    expect((await pageAt(`/payment/${'B'.repeat(16)}`)).html).toBe(unknown.html);

    const ended = await eventOnSale(app);
    await app.advance({ days: 2 });
    expect(await pageAt(`/payment/${ended.eventId}`)).toMatchObject({ status: 200, h1: eventEnded, isHidden: true });
  });

  it('has the refund deadline on the refund page, even after the event [REF-4]', async () => {
    const { eventId } = await eventOnSale(app);
    const { body: event } = await app.call(publicEvent, { eventId });
    const closesAt = 'title' in event ? settlesAt(new Date(event.endDate_endTime)).toISOString() : '';
    const embedded = { eventId, title: 'Basement Brass', timezone: 'America/New_York', closesAt, isCancelled: false };

    expect((await pageAt(`/refund/${eventId}`)).embedded).toEqual({ refund: { ...embedded, isClosed: false } });
    await app.advance({ hours: 24 + 3 + 23 });
    expect((await pageAt(`/refund/${eventId}`)).embedded).toEqual({ refund: { ...embedded, isClosed: false } });
    await app.advance({ hours: 2 });
    expect((await pageAt(`/refund/${eventId}`)).embedded).toEqual({ refund: { ...embedded, isClosed: true } });
  });

  it('keeps the refund deadline when the end is moved earlier after sales [REF-4]', async () => {
    const sale = await eventOnSale(app);
    const { eventId } = sale;
    const { body: event } = await app.call(publicEvent, { eventId });
    const closesAt = 'title' in event ? settlesAt(new Date(event.endDate_endTime)).toISOString() : '';
    const order = await buyTickets(app, eventId, generalAdmission(1));
    const [confirmationCode = ''] = codesOf(order);
    const inHours = (hours: number) =>
      localTimeOf(new Date(app.now().getTime() + hours * 3_600_000), 'America/New_York');
    const earlier = { startDate_startTime: inHours(1), endDate_endTime: inHours(2) };
    expect((await sale.visitor.call(editEvent, { ...eventForm(app, earlier), eventId })).status).toBe(200);

    await app.advance({ hours: 2 + 24 });

    expect((await pageAt(`/refund/${eventId}`)).embedded).toMatchObject({ refund: { closesAt, isClosed: false } });
    expect((await app.call(requestRefund, { eventId, confirmationCode })).status).toBe(200);
  });
});

describe("an order's page", () => {
  it('comes with its tickets before any script, at both of its addresses, for its buyer alone [ORDER-1]', async () => {
    const { eventId } = await eventOnSale(app, { title: TRICKY });
    const order = await buyTickets(app, eventId, generalAdmission(2));
    const addresses = [`/order/${order.details?.token}`, `/success?session_id=${order.sessionId}`];
    for (const address of addresses) {
      const reply = await fetch(app.publicUrl + address);
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
      const page = await pageAt(address);
      expect(page).toMatchObject({ status: 200, h1: 'You&#x27;re in, Sam.', isHidden: true, structuredData: [] });
      expect(page.title).not.toContain('chips');
      expect(page.html).not.toContain('<b>chips</b>');
      expect(page.html).not.toMatch(/\sstyle=/);
      const [markup = ''] = page.html.split('id="page-props"');
      for (const number of codesOf(order)) {
        expect(markup).toContain(`QR code of confirmation number ${number}`);
        expect(markup).toMatch(/<path d="M\d+ \d+h\d/);
      }
      expect(markup).toContain('2 × General admission');
    }
  });

  it('waits in the browser until the order is paid, and says nothing of an unknown one', async () => {
    const { eventId } = await eventOnSale(app);
    const { sessionId } = await openCheckout(app, eventId, generalAdmission(1));
    for (const address of [`/success?session_id=${sessionId}`, '/success?session_id=cs_test_x', '/order/x', '/order'])
      expect(await pageAt(address)).toMatchObject({ status: 200, h1: undefined, embedded: undefined, isHidden: true });
  });
});

describe('share image', () => {
  it('is rendered for any title', async () => {
    const { eventId } = await eventOnSale(app, { title: 'Fish & <chips>\t日本' });
    for (const id of [eventId, 'handstamp']) {
      const reply = await fetch(`${app.publicUrl}/og/${id}.png`);
      expect(reply.status).toBe(200);
      expect(await sharp(Buffer.from(await reply.arrayBuffer())).metadata()).toMatchObject({
        format: 'png',
        width: 1200,
        height: 630,
      });
    }
  });

  it('answers 404 for an unknown event', async () => {
    for (const file of ['AAAAAAAAAAAAAAAA.png', 'x.jpg', '..%2f.png'])
      expect((await fetch(`${app.publicUrl}/og/${file}`)).status).toBe(404);
  });
});

it('keeps every screen within its size budget', async () => {
  const manifest: Record<string, unknown> = JSON.parse(await readFile(join(WEB_ROOT, '.vite/manifest.json'), 'utf8'));
  expect(Object.keys(manifest)).toContain('event-page/EventScreen.tsx');
  const { brokenBudgets } = await loadBudgets();
  expect(brokenBudgets()).toEqual([]);
});

async function loadBudgets(): Promise<{ brokenBudgets: () => string[] }> {
  const script = new URL('../../../../scripts/budgets.mjs', import.meta.url);
  return (await import(script.href)) as { brokenBudgets: () => string[] };
}
