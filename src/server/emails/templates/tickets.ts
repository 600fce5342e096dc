import calendar, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import sharp from 'sharp';
import { encode } from 'uqr';
import { type IncludedTax, taxOf } from '#domain/taxes/included-tax.ts';
import {
  addressLine,
  clockTime,
  eventTime,
  firstName,
  formatCents,
  longDate,
  plural,
  pricePaid,
  ticketPosition,
} from '#messages/format.ts';
import { compEmail } from '#messages/sales/comps.ts';
import { orderPage } from '#messages/sales/order-page.ts';
import type { OrderLineSource } from '#server/platform/schema/orders.ts';
import { type Block, button, type EmailContent, escapeHtml, greeting, links, paragraph, smallPrint } from './layout.ts';

const QUIET_MODULES = 4;
const MODULE_PX = 10;

const SMALL_PRINT = 'Save this email. Each code lets one person in, once. Share it only with the person using it.';
const SMALL_PRINT_WITH_ADD_ONS =
  "Save this email. Each code works once: a ticket's lets one person in, an add-on's gets you what you bought. Share it only with the person using it.";

const REPLACED = {
  one: "We lost your order in a system failure and restored it. This ticket replaces the one in our earlier email, whose number no longer works. You haven't been charged again.",
  other:
    "We lost your order in a system failure and restored it. These tickets replace the ones in our earlier email, whose numbers no longer work. You haven't been charged again.",
};

export interface TicketForEmail {
  ticketName: string;
  confirmationNumber: string;
  priceCents: number;
  /** `comp`: the organizer added the guest at no charge. */
  source: OrderLineSource;
  /** Null without one. */
  promoCode: string | null;
  position: number;
  of: number;
  /** Handed out at the door; doesn't admit. */
  isAddOn: boolean;
  /** Null if the event doesn't ask for it. */
  guestName: string | null;
  buyerName: string | null;
  totalCents: number;
  paidAt: Date | null;
  /** Set if the tickets replace those of an order that the database lost. */
  rebuiltAt: Date | null;
}

export interface EventOfTickets {
  title: string;
  street: string;
  city: string;
  state: string;
  postalCode: string;
  venueName: string | null;
  timezone: string;
  startsAt: Date;
  endsAt: Date;
  checkInOpensAt: Date | null;
  organizationName: string | null;
  refundsUntil: Date;
}

export interface Receipt {
  /** What was ordered, in the order of the cart. */
  lines: readonly (Pick<TicketForEmail, 'ticketName' | 'promoCode'> & { quantity: number; unitPriceCents: number })[];
  /** That prices include; undefined for none. */
  tax: IncludedTax | undefined;
}

interface TicketLinks {
  /** The order's page. */
  order: string;
  calendar: string;
  directions: string;
}

/** @param receipt null for a ticket that is sent again on its own */
export async function ticketsEmail(
  event: EventOfTickets,
  tickets: readonly TicketForEmail[],
  { receipt, urls }: { receipt: Receipt | null; urls: TicketLinks },
): Promise<EmailContent | null> {
  const [first] = tickets;
  if (!first) return null;

  const count = tickets.length;
  const passes = tickets.map((ticket) => ({
    ticketName: ticket.ticketName,
    guestName: ticket.guestName,
    position: ticketPosition(ticket),
    price: ticket.source === 'comp' ? compEmail.price : pricePaid(ticket),
    confirmationNumber: ticket.confirmationNumber,
    contentId: `qr-${ticket.confirmationNumber}@handstamp`,
  }));
  const attachments = [];
  for (const { confirmationNumber, contentId } of passes) {
    const content = await qrPng(confirmationNumber);
    attachments.push({ fileName: `ticket-${confirmationNumber}.png`, contentType: 'image/png', content, contentId });
  }

  const isComp = first.source === 'comp';
  const when = timeOf(event, first.paidAt);
  return {
    // The event comes first: phones show about 40 characters.
    subject: isComp
      ? compEmail.subject(event.title)
      : `${event.title}: ${plural(count, { one: 'your ticket', other: 'your # tickets' })}`,
    preview: `${when}. Show the QR code at the door.`,
    head: {
      above: when,
      title: event.title,
      below: [addressLine(event)],
    },
    blocks: [
      isComp ? paragraph(compEmail.lead(event.organizationName)) : greeting(welcome(tickets)),
      ...(first.rebuiltAt ? [paragraph(plural(count, REPLACED))] : []),
      button(plural(count, { one: 'Open your ticket', other: 'Open your tickets' }), urls.order),
      links([
        { label: orderPage.calendar, url: urls.calendar },
        { label: orderPage.directions, url: urls.directions },
      ]),
      paragraph("Show the QR code at the door, on your phone or printed. Won't scan? The number works too."),
      ...passes.map(ticketPass),
      ...(isComp || !receipt ? [] : [receiptTable(receipt, { ...first, timezone: event.timezone })]),
      ...(isComp ? [] : [smallPrint(`Refunds close ${longDate(event.refundsUntil, event.timezone)}.`)]),
      smallPrint(tickets.some(({ isAddOn }) => isAddOn) ? SMALL_PRINT_WITH_ADD_ONS : SMALL_PRINT),
    ],
    attachments,
  };
}

/** With the doors, if they open before or after the start. */
function timeOf({ startsAt, endsAt, checkInOpensAt, timezone }: EventOfTickets, orderedAt: Date | null): string {
  const time = eventTime({ startsAt, endsAt, timezone, readAt: orderedAt });
  return checkInOpensAt ? `${time} · doors ${clockTime(checkInOpensAt, timezone)}` : time;
}

/** Add-ons let no one in. */
function welcome(tickets: readonly TicketForEmail[]): string {
  const thanks = tickets.every(({ isAddOn }) => isAddOn) ? 'Thank you' : "You're in";
  const [first] = tickets;
  return first?.buyerName ? `${thanks}, ${firstName(first.buyerName)}.` : `${thanks}.`;
}

/** Names and amounts as on the order's page. */
function receiptTable(
  { lines, tax }: Receipt,
  { totalCents, paidAt, timezone }: Pick<TicketForEmail, 'totalCents' | 'paidAt'> & { timezone: string },
): Block {
  const rows = lines.map(({ quantity, ticketName, unitPriceCents, promoCode }) => {
    const isPlain = quantity === 1 && promoCode === null;
    const each = isPlain ? '' : `, ${pricePaid({ priceCents: unitPriceCents, promoCode })}`;
    return { item: `${quantity} × ${ticketName}${each}`, amount: formatCents(quantity * unitPriceCents) };
  });
  const total = { item: orderPage.total, amount: formatCents(totalCents) };
  const taxes = tax ? [{ item: orderPage.includedTax(tax), amount: formatCents(taxOf(lines, tax)) }] : [];
  const paid = paidAt === null ? '' : `${totalCents === 0 ? 'Ordered' : 'Paid'} ${longDate(paidAt, timezone)}.`;
  const row = ({ item, amount }: typeof total, weight: number) =>
    `<tr><td class="ink line" style="padding:8px 12px 8px 0;border-top:1px solid #DDD6C6;font-size:15px;line-height:22px;font-weight:${weight};color:#15172B;overflow-wrap:anywhere">${escapeHtml(item)}</td><td align="right" class="ink line" style="padding:8px 0;border-top:1px solid #DDD6C6;font-size:15px;line-height:22px;font-weight:${weight};color:#15172B;white-space:nowrap">${escapeHtml(amount)}</td></tr>`;
  return {
    html: `<h2 class="ink" style="margin:0 0 8px;font-size:18px;line-height:24px;font-weight:700;color:#15172B">${orderPage.receipt}</h2>
<table width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;border-collapse:collapse">${rows.map((line) => row(line, 400)).join('')}${row(total, 700)}${taxes.map((line) => row(line, 400)).join('')}</table>
<p class="quiet" style="margin:8px 0 0;font-size:14px;line-height:21px;color:#5C5F7E">${escapeHtml(paid)}</p>`,
    text: [orderPage.receipt, ...[...rows, total, ...taxes].map(({ item, amount }) => `${item}: ${amount}`), paid].join(
      '\n',
    ),
  };
}

interface TicketPass {
  ticketName: string;
  guestName: string | null;
  /** "Ticket 1 of 2". */
  position: string;
  price: string;
  confirmationNumber: string;
  /** Content-ID of the attached QR code. */
  contentId: string;
}

/** The QR code sits on its own white tile, so it scans whatever colors the email client applies. */
function ticketPass({ ticketName, guestName, position, price, confirmationNumber, contentId }: TicketPass): Block {
  const number = escapeHtml(confirmationNumber);
  return {
    html: `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="line" style="margin:0 0 24px;border:0 dotted #DDD6C6;border-bottom-width:2px"><tr><td align="center" style="padding:0 0 24px">
<p class="ink" style="margin:0;font-size:20px;line-height:26px;font-weight:700;color:#15172B;overflow-wrap:anywhere">${escapeHtml(ticketName)}</p>
<p class="soft" style="margin:2px 0 16px;font-size:15px;line-height:22px;color:#3D4060">${escapeHtml([guestName, position, price].filter(Boolean).join(' · '))}</p>
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="tile" bgcolor="#FFFFFF" style="background:#FFFFFF;border-radius:10px;padding:6px"><img src="cid:${escapeHtml(contentId)}" width="200" height="200" alt="QR code of confirmation number ${number}" style="display:block;width:200px;height:200px;border:0;image-rendering:pixelated"></td></tr></table>
<p class="soft" style="margin:14px 0 2px;font-size:14px;line-height:20px;color:#5C5F7E">Confirmation number</p>
<p class="ink" style="margin:0;font:600 26px/32px ui-monospace,Menlo,Consolas,monospace;letter-spacing:.04em;color:#15172B">${number}</p>
</td></tr></table>`,
    text: `${ticketName} (${position})\n${guestName === null ? '' : `Name: ${guestName}\n`}Confirmation number: ${confirmationNumber}\nPrice: ${price}`,
  };
}

/** Black on white with its own quiet zone, so the code still scans in an email client's dark mode. */
async function qrPng(text: string): Promise<Buffer> {
  const { data, size } = encode(text, { ecc: 'M', boostEcc: false, border: QUIET_MODULES });
  const pixels = Buffer.from(data.flat().map((isDark) => (isDark ? 0 : 255)));
  return sharp(pixels, { raw: { width: size, height: size, channels: 1 } })
    .resize(size * MODULE_PX, size * MODULE_PX, { kernel: 'nearest' })
    .png({ palette: true, colours: 2 })
    .toBuffer();
}

interface CalendarEntry {
  id: string;
  title: string;
  subtitle?: string | null;
  street: string;
  city: string;
  state: string;
  postalCode: string;
  venueName: string | null;
  startsAt: Date;
  endsAt: Date;
  cancelledAt: Date | null;
  /** How often its date or venue was changed. */
  changes: number;
}

/**
 * The event as a calendar file. Its UID stays and its sequence rises with each change, so that the file of a later email updates the
 * entry of an earlier one.
 */
export const calendarFile = (event: CalendarEntry, at: { publicUrl: string; now: Date }) => ({
  fileName: 'event.ics',
  contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
  content: Buffer.from(calendarOf([event], at)),
});

/** @param feed of what calendars subscribe to, which ask again each hour */
export function calendarOf(
  events: readonly CalendarEntry[],
  { publicUrl, now, feed }: { publicUrl: string; now: Date; feed?: { name: string; url: string } },
): string {
  const named = feed && { name: feed.name, source: feed.url, url: feed.url, ttl: 60 * 60 };
  const file = calendar({ prodId: '//Handstamp//Handstamp//EN', method: ICalCalendarMethod.PUBLISH, ...named });
  for (const event of events) {
    const { id, title, subtitle, startsAt, endsAt, cancelledAt, changes } = event;
    const url = `${publicUrl}/payment/${id}`;
    file.createEvent({
      id: `${id}@${new URL(publicUrl).hostname}`,
      sequence: changes + (cancelledAt ? 1 : 0),
      stamp: now,
      start: startsAt,
      end: endsAt,
      summary: subtitle ? `${title}: ${subtitle}` : title,
      location: addressLine(event),
      description: url,
      url,
      status: cancelledAt ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    });
  }
  return file.toString();
}
