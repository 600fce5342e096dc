/** Answers the check of a ticket. On the wire, a denial is an error with a status and a code, as the scanner's calls expect. */
import type { checkGuest } from '#contract/app/check-in.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { admitted } from '#messages/check-in.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { CheckInResult } from './check-guest.ts';

export function checkInReply(result: CheckInResult): ReplyOf<typeof checkGuest> {
  switch (result.status) {
    case 'admitted':
      return { msg: admitted(result.ticketName), result: result.status };
    case 'already-in': {
      const time = timeFormatIn(result.timezone).format(result.at);
      throw new AppError('check-in.already-in', { time, device: result.device });
    }
    case 'other-event':
      throw new AppError('check-in.other-event', { title: result.title });
    case 'unknown':
      throw new AppError('check-in.unknown-ticket');
    case 'disputed':
    case 'event-cancelled':
    case 'refunded':
    case 'refunding':
    case 'void':
      throw new AppError(`check-in.${result.status}`);
  }
}

/** Cached per time zone: creating a format takes longer than the whole check. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

function timeFormatIn(timeZone: string): Intl.DateTimeFormat {
  const format = timeFormats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeStyle: 'short' });
  timeFormats.set(timeZone, format);
  return format;
}
