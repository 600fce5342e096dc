/** An organizer who reads what has been sold, an attendant who scans it, and visitors who load pages with their scripts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkGuest } from '#contract/app/check-in.ts';
import { eventOverview } from '#contract/app/records/overview.ts';
import { eventRows } from '#contract/app/records/workspace.ts';
import { guestRows, guestTable } from '#contract/app/sales/guest-table.ts';
import { orderRows } from '#contract/app/sales/orders.ts';
import { newId } from '#server/platform/ids.ts';
import type { Order } from '#tests/ha/buyers.ts';
import { type Calls, countCalls } from '#tests/ha/count-calls.ts';
import { Visitor } from '#tests/support/http-visitor.ts';

const PAUSE_MS = 1_000;
/** Also those that a script of the page loads after the first paint. */
const FILE = /\/static\/[\w./-]+\.\w+/g;

export interface Staff {
  calls: Calls;
  /** Confirmation numbers of admitted tickets. */
  admitted: string[];
  stop(): Promise<void>;
}

interface People {
  eventId: string;
  organizer: Visitor;
  attendant: Visitor;
}

/** @param orders whose tickets are scanned; grows meanwhile */
export function sendStaff(origin: string, { eventId, organizer, attendant }: People, orders: readonly Order[]): Staff {
  const calls = countCalls();
  const { seen } = calls;
  const admitted: string[] = [];
  let scanned = 0;
  let isOver = false;

  async function readSales(): Promise<void> {
    await seen('home', () => organizer.call(eventRows, {}));
    await seen('overview', () => organizer.call(eventOverview, { eventId }));
    await seen('orders', () => organizer.call(orderRows, { eventId }));
    await seen('guest table', () => organizer.call(guestTable, { eventId }));
    await seen('guests', () => organizer.call(guestRows, { eventId }));
  }

  async function scanNext(): Promise<void> {
    const confirmationNumber = orders[scanned]?.confirmationNumbers[0];
    if (confirmationNumber === undefined) return;
    scanned++;
    const scan = { eventId, confirmationNumber, scanId: newId() };
    const answer = await seen('scan', () => attendant.call(checkGuest, scan));
    if (answer?.body.result === 'admitted') admitted.push(confirmationNumber);
    else if (answer) calls.failures.push(`scan: ${answer.body.result}`);
  }

  async function loadPage(): Promise<void> {
    const visitor = new Visitor(origin);
    for (const path of ['/', `/payment/${eventId}`]) {
      const page = await seen(path, () => visitor.fetch(path, { headers: { accept: 'text/html' } }));
      const files = new Set(((await page?.text()) ?? '').match(FILE));
      await Promise.all([...files].map((file) => seen(file, () => bodyLess(visitor.fetch(file)))));
    }
  }

  const all = [readSales, scanNext, loadPage].map(async (round) => {
    while (!isOver) {
      await round();
      await sleep(PAUSE_MS);
    }
  });
  return {
    calls,
    admitted,
    async stop() {
      isOver = true;
      await Promise.all(all);
    },
  };
}

/** Reads the file, so that its connection is free again. */
async function bodyLess(loading: Promise<Response>): Promise<Pick<Response, 'status' | 'headers'>> {
  const { status, headers, body } = await loading;
  await body?.cancel();
  return { status, headers };
}
