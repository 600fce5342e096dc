/** What an event's files say, as columns and rows. */
import { exactDollars } from '#domain/money.ts';
import { bySplit, NO_SALES, sumOf } from '#domain/reports/sales-report.ts';
import { eventFileTexts as text } from '#messages/records/event-files.ts';
import { nameOfPart } from '#messages/records/sales-report.ts';
import { namesOf, salesCells } from '#server/backoffice/sales/read-sales.ts';
import type { Db } from '#server/platform/database.ts';
import {
  checkInsToExport,
  ordersToExport,
  type Piece,
  payoutsToExport,
  promoCodesToExport,
  refundsToExport,
} from './event-files.sql.ts';

type Cells = (string | number)[];

export interface Table {
  columns: readonly string[];
  pieces: AsyncIterable<Cells[]>;
}

interface OfEvent {
  eventId: string;
  timezone: string;
}

const ROWS_PER_PIECE = 1000;

/** One statement a piece: a single one would last as long as the download, and keep vacuum from removing dead rows. */
async function* inPieces<Row extends { id: string }>(
  read: (piece: Piece) => Promise<Row[]>,
  event: OfEvent,
  cellsOf: (row: Row) => Cells,
): AsyncGenerator<Cells[]> {
  for (let after: string | null = null, isLast = false; !isLast; ) {
    const rows: Row[] = await read({ ...event, after, limit: ROWS_PER_PIECE });
    yield rows.map(cellsOf);
    after = rows.at(-1)?.id ?? null;
    isLast = rows.length < ROWS_PER_PIECE;
  }
}

export function orderTable(db: Db, event: OfEvent): Table {
  return {
    columns: [
      text.order,
      text.orderedAt(event.timezone),
      text.paidAt(event.timezone),
      text.state,
      text.name,
      text.email,
      text.tickets,
      text.total,
      text.discounts,
      text.channel,
      text.link,
      text.code,
    ],
    pieces: inPieces(
      (piece) => ordersToExport(db, piece),
      event,
      (row) => [
        row.id,
        row.orderedAt,
        row.paidAt ?? '',
        row.state,
        row.name ?? '',
        row.email ?? '',
        row.tickets,
        exactDollars(row.totalCents),
        exactDollars(row.discountCents),
        nameOfPart('channel', row.channel),
        row.link ?? '',
        row.code ?? '',
      ],
    ),
  };
}

export function refundTable(db: Db, event: OfEvent): Table {
  return {
    columns: [
      text.refund,
      text.order,
      text.ticket,
      text.reason,
      text.state,
      text.amount,
      text.stripeRefund,
      text.requestedAt(event.timezone),
      text.sentAt(event.timezone),
      text.failedAt(event.timezone),
    ],
    pieces: inPieces(
      (piece) => refundsToExport(db, piece),
      event,
      (row) => [
        row.id,
        row.orderId,
        row.ticketId ?? '',
        row.reason,
        row.state,
        exactDollars(row.cents),
        row.stripeRefundId ?? '',
        row.requestedAt,
        row.sentAt ?? '',
        row.failedAt ?? '',
      ],
    ),
  };
}

export function checkInTable(db: Db, event: OfEvent): Table {
  return {
    columns: [text.ticket, text.order, text.type, text.checkedInAt(event.timezone), text.device],
    pieces: inPieces(
      (piece) => checkInsToExport(db, piece),
      event,
      (row) => [row.id, row.orderId, row.type, row.checkedInAt, row.device ?? ''],
    ),
  };
}

export function payoutTable(db: Db, event: OfEvent): Table {
  return {
    columns: [
      text.payout,
      text.state,
      text.amount,
      text.stripeTransfer,
      text.requestedAt(event.timezone),
      text.paidAt(event.timezone),
    ],
    pieces: inPieces(
      (piece) => payoutsToExport(db, piece),
      event,
      (row) => [row.id, row.state, exactDollars(row.cents), row.transferId ?? '', row.requestedAt, row.paidAt ?? ''],
    ),
  };
}

export function promoCodeTable(db: Db, event: OfEvent): Table {
  return {
    columns: [
      text.code,
      text.kind,
      text.value,
      text.maxUses,
      text.madeAt(event.timezone),
      text.endedAt(event.timezone),
      ...FIGURES,
    ],
    pieces: (async function* () {
      const sold = new Map(bySplit(await salesCells(db, event), 'code').map((part) => [part.id, part]));
      yield* inPieces(
        (piece) => promoCodesToExport(db, piece),
        event,
        (row) => [
          row.code,
          row.kind,
          row.kind === 'unlock' ? '' : exactDollars(row.value),
          row.maxUses ?? '',
          row.madeAt,
          row.endedAt ?? '',
          ...figureCells(sold.get(row.id) ?? NO_SALES),
        ],
      );
    })(),
  };
}

export function salesTable(db: Db, event: OfEvent): Table {
  return {
    columns: [text.day, text.type, text.channel, text.link, text.code, ...FIGURES],
    pieces: (async function* () {
      const nameOf = await namesOf(db, event.eventId);
      const cells = Map.groupBy(await salesCells(db, event), ({ day, type, channel, link, code }) =>
        [day, type, channel, link, code].join(' '),
      );
      const rows = [...cells.values()].flatMap((own): { day: string; cells: Cells }[] => {
        const [first] = own;
        if (!first) return [];
        const { day, type, channel, link, code } = first;
        const parts = [nameOf('type', type), nameOf('channel', channel), link && nameOf('link', link)];
        const named = [...parts, code && nameOf('code', code)].map((name) => name ?? '');
        return [{ day, cells: [day, ...named, ...figureCells(sumOf(own))] }];
      });
      const sorted = rows.toSorted((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
      for (let start = 0; start < sorted.length; start += ROWS_PER_PIECE)
        yield sorted.slice(start, start + ROWS_PER_PIECE).map((row) => row.cells);
    })(),
  };
}

const FIGURES = [text.tickets, text.gross, text.discounts, text.refundedTickets, text.refunded];

const figureCells = (sum: ReturnType<typeof sumOf>): Cells => [
  sum.tickets,
  exactDollars(sum.grossCents),
  exactDollars(sum.discountCents),
  sum.refundedTickets,
  exactDollars(sum.refundedCents),
];
