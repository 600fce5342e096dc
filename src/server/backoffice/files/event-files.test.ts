/** Files of an event, as programs read them. */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { eventFile, eventFileKinds } from '#contract/app/records/event-files.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { newLink } from '#tests/support/links.ts';
import { sellMany } from '#tests/support/many-guests.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  eventOnSale,
  generalAdmission,
  goodCard,
  logInAgain,
  onboardedOrganizer,
} from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import { newMember } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
let seller: Awaited<ReturnType<typeof eventOnSale>>;
withTestApp((opened) => {
  app = opened;
});

const pathOf = (kind: string) => eventFile.path.replace(':eventId', seller.eventId).replace(':kind', kind);

async function rowsOf(kind: string): Promise<Record<string, string>[]> {
  const reply = await seller.visitor.fetch(pathOf(kind));
  expect(reply.status).toBe(200);
  return parse(Buffer.from(await reply.arrayBuffer()), { bom: true, columns: true });
}

beforeAll(async () => {
  seller = await eventOnSale(app, { title: '=1+1' });
  const { eventId, attendantCode } = seller;
  await newLink(seller, 'poster', '=HYPERLINK("x")');
  await newPromoCode(seller, promoForm('SPRING'));
  const order = await buyTickets(app, eventId, generalAdmission(3), 'ana@example.com', {
    ...goodCard,
    name: '=1+1',
  });
  const [refunded = '', admitted = ''] = codesOf(order);
  await app.call(requestRefund, { eventId, confirmationCode: refunded });
  await app.settle();
  const door = await attendantOf(app, eventId, attendantCode);
  await app.advance({ days: 2 });
  await door.call(checkGuest, { eventId, confirmationNumber: admitted });
  await logInAgain(seller);
});

describe('A file of an event', () => {
  it.each(eventFileKinds)('of %s is UTF-8 with a byte order mark, and has its columns [REPORT-2]', async (kind) => {
    const reply = await seller.visitor.fetch(pathOf(kind));
    const bytes = Buffer.from(await reply.arrayBuffer());

    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w -]+ of =1\+1 [\d-]+\.csv"/);
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.toString('utf8').split('\r\n')[0]?.split(',').length).toBeGreaterThan(4);
  });

  it('has a name of `=1+1` as a text [REPORT-2]', async () => {
    const [order] = await rowsOf('orders');

    expect(order).toMatchObject({
      Name: "'=1+1",
      Email: 'ana@example.com',
      Status: 'paid',
      Tickets: '3',
      'Total in US dollars': '72.00',
      Channel: 'Online',
    });
  });

  it('has each refund with its amount and day [REPORT-2]', async () => {
    expect(await rowsOf('refunds')).toMatchObject([
      {
        'Amount in US dollars': '24.00',
        Reason: 'requested',
        Status: 'sent',
        'Stripe refund': expect.stringMatching(/^re_/),
      },
    ]);
  });

  it('lists promo codes that sold nothing, too [REPORT-2]', async () => {
    expect(await rowsOf('promo-codes')).toMatchObject([{ 'Promo code': 'SPRING', Tickets: '0', Value: '20.00' }]);
  });

  it('has every order once where there are many, a piece at a time [REPORT-2]', async () => {
    const big = await eventOnSale(app);
    await sellMany(app.db, big.eventId, 5000);
    const reply = await big.visitor.fetch(eventFile.path.replace(':eventId', big.eventId).replace(':kind', 'orders'));
    const rows: Record<string, string>[] = parse(await reply.text(), { bom: true, columns: true });

    expect(new Set(rows.map((row) => row['Order'])).size).toBe(2500);
    expect(rows).toHaveLength(2500);
  });

  it('is for who may see what it says [REPORT-2]', async () => {
    const editor = (await newMember(app, seller, 'editor')).visitor;
    const stranger = (await onboardedOrganizer(app)).visitor;
    const status = async (visitor: typeof editor, kind: string) => (await visitor.fetch(pathOf(kind))).status;

    expect(await Promise.all(eventFileKinds.map((kind) => status(editor, kind)))).toEqual([
      403, 403, 403, 200, 403, 200,
    ]);
    for (const kind of eventFileKinds) expect(await status(stranger, kind)).toBe(404);
    expect(await (await stranger.fetch(pathOf('sales'))).json()).toEqual(errorBody('event.not-found'));
    expect(await status(seller.visitor, 'everything')).toBe(400);
  });
});
