import calendar, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import sharp from 'sharp';
import { encode } from 'uqr';
import { addressLine, longDate, plural, pricePaid, ticketPosition } from '#messages/format.ts';
import { compEmail } from '#messages/sales/comps.ts';
import type { OrderLineSource } from '#server/platform/schema/orders.ts';
import { type Block, button, type EmailLayout, escapeHtml, paragraph, renderLayout, smallPrint } from './layout.ts';

const QUIET_MODULES = 4;
const MODULE_PX = 10;

const SMALL_PRINT = 'Save this email. Each code lets one person in, once. Share it only with the person using it.';
const SMALL_PRINT_WITH_ADD_ONS =
  "Save this email. Each code works once: a ticket's lets one person in, an add-on's gets you what you bought. Share it only with the person using it.";

export interface TicketForEmail {
  ticketName: string;
  confirmationNumber: string;
  priceCents: number;
  /** `comp`: the organizer added the guest at no charge. */
  source: OrderLineSource;
  organizationName: string | null;
  /** Null without one. */
  promoCode: string | null;
  position: number;
  of: number;
  /** Handed out at the door; doesn't admit. */
  isAddOn: boolean;
  /** Null if the event doesn't ask for it. */
  guestName: string | null;
  title: string;
  street: string;
  city: string;
  state: string;
  postalCode: string;
  timezone: string;
  startsAt: Date;
}

/** @param url the order's page */
export async function ticketsEmail(tickets: readonly TicketForEmail[], url: string): Promise<EmailLayout | null> {
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
  const startsAt = longDate(first.startsAt, first.timezone);
  return renderLayout({
    // The event comes first: phones show about 40 characters.
    subject: isComp
      ? compEmail.subject(first.title)
      : `${first.title}: ${plural(count, { one: 'your ticket', other: 'your # tickets' })}`,
    preview: `${startsAt}. Show the QR code at the door.`,
    head: {
      above: startsAt,
      title: first.title,
      below: [addressLine(first)],
    },
    blocks: [
      ...(isComp ? [paragraph(compEmail.lead(first.organizationName))] : []),
      paragraph("Show the QR code at the door, on your phone or printed. Won't scan? The number works too."),
      ...passes.map(ticketPass),
      button(plural(count, { one: 'Open your ticket', other: 'Open your tickets' }), url),
      smallPrint(tickets.some(({ isAddOn }) => isAddOn) ? SMALL_PRINT_WITH_ADD_ONS : SMALL_PRINT),
    ],
    attachments,
  });
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
<p class="ink" style="margin:0;font-size:20px;line-height:26px;font-weight:700;color:#15172B">${escapeHtml(ticketName)}</p>
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
  street: string;
  city: string;
  state: string;
  postalCode: string;
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
export function calendarFile(event: CalendarEntry, { publicUrl, now }: { publicUrl: string; now: Date }) {
  const { id, title, startsAt, endsAt, cancelledAt, changes } = event;
  const url = `${publicUrl}/payment/${id}`;
  const file = calendar({ prodId: '//Handstamp//Handstamp//EN', method: ICalCalendarMethod.PUBLISH });
  file.createEvent({
    id: `${id}@${new URL(publicUrl).hostname}`,
    sequence: changes + (cancelledAt ? 1 : 0),
    stamp: now,
    start: startsAt,
    end: endsAt,
    summary: title,
    location: addressLine(event),
    description: url,
    url,
    status: cancelledAt ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  return {
    fileName: 'event.ics',
    contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
    content: Buffer.from(file.toString()),
  };
}
