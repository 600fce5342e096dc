/** Renders tickets as a PDF, one on a page: the event's picture above a perforation, the code below it. */
import { type PDFPage, rgb } from 'pdf-lib';
import { encode } from 'uqr';
import { addressLine, longDate, ticketPosition } from '#messages/format.ts';
import { ticketFile as text } from '#messages/sales/ticket-files.ts';
import { LEADING, LETTER, type TextStyle, type Typeset, typeset } from '#server/platform/pdf/typeset.ts';
import type { OrderTickets } from './order-tickets.ts';

type Ticket = OrderTickets['tickets'][number];

interface PrintedOrder extends OrderTickets {
  /** A picture of the event in `COVER`. */
  cover: Buffer;
  eventUrl: string;
}

const INK = rgb(0.082, 0.09, 0.169);
const QUIET = rgb(0.34, 0.35, 0.42);
const LINE = rgb(0.8, 0.79, 0.75);
const WHITE = rgb(1, 1, 1);

const TITLE: TextStyle = { size: 26, weight: 'bold', color: INK };
const HEADING: TextStyle = { size: 18, weight: 'bold', color: INK };
const BODY: TextStyle = { size: 11, color: INK };
const SMALL: TextStyle = { size: 9, color: QUIET };
const NUMBER: TextStyle = { size: 24, weight: 'bold', color: INK };

/** The card, in the middle of the page. */
const LEFT = 72;
const WIDTH = LETTER[0] - 2 * LEFT;
const TOP = LETTER[1] - 60;
const COVER_HEIGHT = 180;
const PADDING = 24;
const INNER_LEFT = LEFT + PADDING;
const INNER_WIDTH = WIDTH - 2 * PADDING;
/** 7 cm: readable from a wrinkled page. */
const CODE_SIDE = 198;
const QUIET_ZONE = 4;
const NOTCH = 9;
/** With four pixels a point. */
export const COVER = { width: WIDTH * 4, height: COVER_HEIGHT * 4, format: 'jpeg' } as const;

export async function ticketsPdf(printed: PrintedOrder): Promise<Uint8Array> {
  const set = await typeset(text.tickets(printed.order.title));
  const cover = await set.document.embedJpg(printed.cover);
  for (const ticket of printed.tickets) {
    const page = set.document.addPage(LETTER);
    page.drawImage(cover, { x: LEFT, y: TOP - COVER_HEIGHT, width: WIDTH, height: COVER_HEIGHT });
    const tear = drawEvent(set, page, printed) - PADDING;
    const bottom = drawTicket(set, page, printed, ticket, tear - PADDING) - PADDING;
    const frame = { x: LEFT, y: bottom, width: WIDTH, height: TOP - bottom };
    page.drawRectangle({ ...frame, borderColor: LINE, borderWidth: 1, opacity: 0 });
    drawTear(page, tear);
  }
  return set.document.save();
}

/** Draws lines from a height down, and returns where they end. */
type Write = (words: string, style: TextStyle) => void;

function writer({ lines, draw }: Typeset, page: PDFPage, box: { x: number; top: number; width: number }) {
  let { top } = box;
  const write: Write = (words, style) => {
    for (const line of lines(words, style, box.width)) {
      top -= style.size * LEADING;
      draw(page, line, { ...style, x: box.x, y: top });
    }
  };
  return {
    write,
    skip: (height: number) => {
      top -= height;
    },
    top: () => top,
  };
}

function drawEvent(set: Typeset, page: PDFPage, { order }: PrintedOrder): number {
  const { write, skip, top } = writer(set, page, {
    x: INNER_LEFT,
    top: TOP - COVER_HEIGHT - PADDING / 2,
    width: INNER_WIDTH,
  });
  write(longDate(order.startsAt, order.timezone), { ...BODY, weight: 'bold' });
  write(order.title, TITLE);
  skip(8);
  write(addressLine({ ...order, state: order.region }), BODY);
  skip(2);
  if (order.checkInOpensAt) write(text.doors(longDate(order.checkInOpensAt, order.timezone)), SMALL);
  write(text.until(longDate(order.endsAt, order.timezone)), SMALL);
  return top();
}

function drawTear(page: PDFPage, y: number): void {
  const end = LEFT + WIDTH;
  page.drawLine({
    start: { x: LEFT + 16, y },
    end: { x: end - 16, y },
    thickness: 2,
    color: LINE,
    dashArray: [0.1, 7],
    lineCap: 1,
  });
  for (const x of [LEFT, end]) page.drawCircle({ x, y, size: NOTCH, color: WHITE, borderColor: LINE, borderWidth: 1 });
  // Hides the half of each notch that is outside the card.
  for (const x of [LEFT - 2 * NOTCH - 1, end + 1])
    page.drawRectangle({ x, y: y - 2 * NOTCH, width: 2 * NOTCH, height: 4 * NOTCH, color: WHITE });
}

function drawTicket(
  set: Typeset,
  page: PDFPage,
  { seller, eventUrl }: PrintedOrder,
  ticket: Ticket,
  top: number,
): number {
  drawCode(page, ticket.confirmationNumber, top);
  const x = INNER_LEFT + CODE_SIDE + PADDING;
  const right = writer(set, page, { x, top: top - 10, width: LEFT + WIDTH - PADDING - x });
  right.write(ticket.ticketName, HEADING);
  if (ticket.guestName !== null) right.write(ticket.guestName, BODY);
  right.write(ticketPosition(ticket), BODY);
  right.skip(18);
  right.write(text.confirmationNumber, SMALL);
  right.write(ticket.confirmationNumber, NUMBER);
  const below = writer(set, page, { x: INNER_LEFT, top: Math.min(right.top(), top - CODE_SIDE), width: INNER_WIDTH });
  below.skip(8);
  below.write(text.seller(seller), SMALL);
  below.write(eventUrl, SMALL);
  return below.top();
}

/** As shapes, which stay sharp at any size. */
function drawCode(page: PDFPage, number: string, top: number): void {
  const { data, size } = encode(number, { ecc: 'M', boostEcc: false, border: QUIET_ZONE });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  // The quiet zone may reach into the card's padding.
  const scale = CODE_SIDE / (size - 2 * QUIET_ZONE);
  const offset = QUIET_ZONE * scale;
  page.drawSvgPath(modules.join(''), { x: INNER_LEFT - offset, y: top + offset, scale, color: rgb(0, 0, 0) });
}
