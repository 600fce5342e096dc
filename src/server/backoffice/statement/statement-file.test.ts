import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { cancelEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { eventMoney, statementFile } from '#contract/app/records/workspace.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { decideDispute, disputePayment, fillBalance } from '#tests/support/disputes.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { openPayout } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventOnSale, expectOk, logInAgain } from '#tests/support/people.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const TITLE = '=Brass & "Strings"';
const TYPE = { ticketName: 'Floor', ticketDescription: 'x', ticketPrice: 24.35, ticketQuantity: 100 };

interface Seller {
  visitor: Visitor;
  eventId: string;
}

const fileOf = ({ visitor, eventId }: Seller, format: 'pdf' | 'csv') =>
  visitor.fetch(`${statementFile.path.replace(':eventId', eventId)}?format=${format}`);

async function csvOf(seller: Seller): Promise<Record<string, string>[]> {
  const reply = await fileOf(seller, 'csv');
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return parse(Buffer.from(await reply.arrayBuffer()), { bom: true, columns: true });
}

const cents = (row: Record<string, string>) => Math.round(Number(row['Amount in US dollars']) * 100);

/** By payout, in order: the sum of the lines, and the line that says what it is. */
function sumsOf(rows: readonly Record<string, string>[]): { lines: number; sum: number }[] {
  const sums: { lines: number; sum: number }[] = [];
  let lines = 0;
  for (const row of rows) {
    if (row['Is the sum'] === 'no') lines += cents(row);
    else {
      sums.push({ lines, sum: cents(row) });
      lines = 0;
    }
  }
  return sums;
}

describe('the statement as a file', () => {
  it('has the rows of the Money tab, which sum up, before and after the payouts [WORK-4]', async () => {
    await fillBalance(app);
    const seller = await eventOnSale(app, { title: TITLE, tickets: [TYPE] });
    const { visitor, eventId } = seller;
    const items = (quantity: number) => [{ ticketName: 'Floor', quantity }];
    const [code = ''] = codesOf(await buyTickets(app, eventId, items(3)));
    await buyTickets(app, eventId, items(2), 'other@example.com');
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: code }));
    const disputeId = await disputePayment(app, eventId, { which: 1 });

    const before = await csvOf(seller);
    expect(new Set(before.map((row) => row['Event']))).toEqual(new Set([`'${TITLE}`]));
    expect(before[0]?.['Status']).toMatch(/^Estimate of /);
    const shown = expectOk(await visitor.call(eventMoney, { eventId })).event.payout.statement;
    expect(sumsOf(before)).toEqual([
      { lines: Math.round((shown?.net ?? 0) * 100), sum: Math.round((shown?.net ?? 0) * 100) },
    ]);

    await openPayout(app, seller);
    await logInAgain(seller);
    expectOk(await visitor.call(requestPayout, { eventId }));
    await app.settle();
    await decideDispute(app, disputeId, 'won');
    await app.settle();

    await expect
      .poll(async () => (await csvOf(seller)).filter((row) => !row['Status']?.startsWith('Paid on ')))
      .toEqual([]);
    const after = await csvOf(seller);
    const { payout } = expectOk(await visitor.call(eventMoney, { eventId })).event;
    const nets = [payout.statement, ...payout.further.map(({ statement }) => statement)].map((statement) =>
      Math.round((statement?.net ?? 0) * 100),
    );
    expect(nets).toHaveLength(2);
    expect(sumsOf(after)).toEqual(nets.map((net) => ({ lines: net, sum: net })));
    expect(new Set(after.map((row) => row['Payout']))).toEqual(new Set(['Payout', 'Additional payout']));
  });

  it('is a PDF with the same rows [WORK-4]', async () => {
    const seller = await eventOnSale(app, { title: TITLE, tickets: [TYPE] });
    await buyTickets(app, seller.eventId, [{ ticketName: 'Floor', quantity: 3 }]);

    const reply = await fileOf(seller, 'pdf');
    expect(reply.headers.get('content-type')).toBe('application/pdf');
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="Statement of .*\.pdf"/);
    const [page, ...more] = await readPdf(new Uint8Array(await reply.arrayBuffer()));

    expect(more).toEqual([]);
    for (const row of await csvOf(seller)) expect(page?.text).toContain(row['Line']);
    expect(page?.text).toContain(TITLE);
    expect(page?.text).toContain('$73.05');
    expect(page?.text).toContain('−$15.00');
  });

  it('does not exist before a sale, nor of a cancelled event, nor for others', async () => {
    const seller = await eventOnSale(app);
    const cancelled = await eventOnSale(app);
    await buyTickets(app, cancelled.eventId, [{ ticketName: 'General admission', quantity: 1 }]);
    expectOk(await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId }));
    const codeOf = async (of: Seller) => {
      const reply = await fileOf(of, 'csv');
      return [reply.status, (await reply.json()).code];
    };

    expect(await codeOf(seller)).toEqual([409, 'payout.nothing-sold']);
    expect(await codeOf(cancelled)).toEqual([409, 'payout.event-cancelled']);
    expect(await codeOf({ ...seller, eventId: cancelled.eventId })).toEqual([404, 'event.not-found']);
  });
});
