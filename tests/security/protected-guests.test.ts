/** The guest list: pages, the CSV file, and resent tickets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guestFile, guestPage, resendTicket } from '#contract/app/guests.ts';
import { ticketResent } from '#messages/guests.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { emailsTo, newOrganizer } from '#tests/support/people.ts';
import { soldOrder } from '#tests/support/sold-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const NO_EVENT = 'AAAAAAAAAAAAAAAA';
let app: TestApp;
let owner: Awaited<ReturnType<typeof newOrganizer>>;
let stranger: Awaited<ReturnType<typeof newOrganizer>>;
let sale: Awaited<ReturnType<typeof soldOrder>>;
beforeAll(async () => {
  app = await startTestApp();
  [owner, stranger] = [await newOrganizer(app), await newOrganizer(app)];
  sale = await soldOrder(app.db, {
    organizerEmail: owner.email,
    buyerEmail: '=1+1@example.com',
    title: 'Brass"; filename="evil.exe"\r\nSet-Cookie: token=x',
    ticketNames: ['=HYPERLINK("http://evil.example")', 'Left; =2+2', '＋3', 'Plain'],
  });
});
afterAll(() => app.close());

const pageOf = (eventId: string, query: object = {}, { visitor }: { visitor: Visitor } = owner) =>
  visitor.send(guestPage, { eventId, ...query });
const fileOf = (eventId: string, { visitor }: { visitor: Visitor } = owner) =>
  visitor.fetch(guestFile.path.replace(':eventId', eventId));

describe('GET /api/protected/event/:eventId/guests', () => {
  it("answers for another organizer's list as for an unknown one", async () => {
    const replies = [];
    for (const eventId of [sale.eventId, NO_EVENT]) {
      const { status, body } = await pageOf(eventId, {}, stranger);
      replies.push({ status, body });
    }

    expect(replies).toEqual(Array(2).fill({ status: 404, body: expect.objectContaining({ code: 'event.not-found' }) }));
  });

  it("uses another list's cursor only to page through the own list", async () => {
    const theirs = await soldOrder(app.db, { organizerEmail: stranger.email, buyerEmail: 'theirs@example.com' });

    const queries = [{ after: theirs.tickets[0]?.id }, { after: theirs.tickets[0]?.id, q: 'theirs' }];
    for (const query of queries) {
      const reply = await pageOf(sale.eventId, query);
      expect(reply.status).toBe(200);
      expect(JSON.stringify(reply.body)).not.toContain('theirs@example.com');
    }
  });

  it('matches pattern characters literally', async () => {
    for (const q of ['%', '_', '\\', '%%%%%%%%%%%%%%%%%%%%%%%%']) {
      const { status, body } = await pageOf(sale.eventId, { q });
      expect({ status, found: body.guestList.length }).toEqual({ status: 200, found: 0 });
    }
  });

  it.each([
    ['more than the maximum', { limit: '501' }],
    ['none', { limit: '0' }],
    ['a negative size', { limit: '-1' }],
    ['a fractional size', { limit: '1.5' }],
    ['a size in exponent notation', { limit: '1e2' }],
    ['a hexadecimal size', { limit: '0x10' }],
    ['a cursor with a query', { after: "' or 1=1 --" }],
    ['a long search', { q: 'x'.repeat(101) }],
  ])('rejects a page request for %s', async (_what, query) => {
    expect((await pageOf(sale.eventId, query)).status).toBe(400);
  });

  it.each(['q', 'after', 'limit', 'all'])('rejects a duplicate parameter %s', async (name) => {
    const path = guestPage.path.replace(':eventId', sale.eventId);

    expect((await owner.visitor.request(`${path}?${name}=1&${name}=1`)).status).toBe(400);
  });
});

describe('GET /api/protected/event/:eventId/guests.csv', () => {
  it('is for its owner only, and does not reveal whether an event exists', async () => {
    const texts = [];
    for (const eventId of [sale.eventId, NO_EVENT]) {
      const reply = await fileOf(eventId, stranger);
      texts.push(`${reply.status} ${await reply.text()}`);
    }

    expect(new Set(texts)).toEqual(new Set([`404 ${JSON.stringify(errorBody('event.not-found'))}`]));
    expect((await fileOf(sale.eventId, { visitor: app.visitor() })).status).toBe(401);
  });

  it('has no cell that a spreadsheet would evaluate, with commas or semicolons', async () => {
    const text = await (await fileOf(sale.eventId)).text();

    const cells = text
      .replace('\uFEFF', '')
      .trim()
      .split('\r\n')
      .flatMap((line) => line.split(/[,;]/))
      .map((cell) => cell.replace(/^[\s"]+/, ''));
    expect(cells.length).toBeGreaterThan(32);
    expect(cells.filter((cell) => /^[=+\-@＝＋－＠\t\r]/.test(cell))).toEqual([]);
    expect(text).toContain(`"'=1+1@example.com"`);
  });

  it('does not let an event title affect the headers', async () => {
    const { headers } = await fileOf(sale.eventId);

    expect(headers.getSetCookie()).toEqual([]);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"]*\.csv"; filename\*=UTF-8''[^"; ]*$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('POST /api/protected/resend-ticket', () => {
  const resend = (email: unknown, confirmationNumber: unknown, { visitor } = owner) =>
    visitor.send(resendTicket, { email, confirmationNumber });
  const unknown = { status: 404, body: errorBody('resend.unknown-ticket') };
  const numberOf = (at: number) => sale.tickets[at]?.confirmationNumber ?? '';

  it("emails only the order's address, whatever address the body contains", async () => {
    const reply = await owner.visitor.send(resendTicket, {
      email: sale.buyerEmail.toUpperCase(),
      confirmationNumber: numberOf(3),
      to: 'thief@example.com',
      toAddress: 'thief@example.com',
      buyerEmail: 'thief@example.com',
    });

    expect(reply).toMatchObject({ status: 200, body: { msg: ticketResent } });
    expect(await emailsTo(app, 'thief@example.com')).toEqual([]);
    expect(await emailsTo(app, sale.buyerEmail)).toHaveLength(1);
  });

  it('finds no ticket under another address, even one that contains the right one', async () => {
    const attempts = [
      'thief@example.com',
      `${sale.buyerEmail},thief@example.com`,
      `${sale.buyerEmail}\nthief@example.com`,
    ];

    for (const email of [...attempts, '', '%']) {
      const { status, body } = await resend(email, numberOf(0));
      expect({ status, body }).toEqual(unknown);
    }
    expect(await emailsTo(app, 'thief@example.com')).toEqual([]);
  });

  it("answers for another organizer's ticket as for an unknown one", async () => {
    const replies = [];
    for (const confirmationNumber of [numberOf(0), '0000000000']) {
      const { status, body } = await resend(sale.buyerEmail, confirmationNumber, stranger);
      replies.push({ status, body });
    }

    expect(replies).toEqual([unknown, unknown]);
  });

  it('rejects a JSON number as confirmation number', async () => {
    expect((await resend(sale.buyerEmail, Number(numberOf(0)))).status).toBe(400);
    expect((await resend([sale.buyerEmail], numberOf(0))).status).toBe(400);
  });

  it.each(['refunding', 'refunded'] as const)('does not send a ticket that is %s', async (state) => {
    const order = await soldOrder(app.db, { organizerEmail: owner.email, buyerEmail: `${state}@example.com` });
    await app.db.updateTable('tickets').set({ state }).where('eventId', '=', order.eventId).execute();

    expect((await resend(order.buyerEmail, order.tickets[0]?.confirmationNumber)).status).toBe(409);
    expect(await emailsTo(app, order.buyerEmail)).toEqual([]);
  });
});
