/**
 * What the log may say. A list of what is let out, not of what is kept back: a new field, a new error or a library's own words
 * cannot carry an address, a name or a secret into a file that is kept for weeks and read by many.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { loggedError, withoutValues } from './logged-error.ts';

/** Ids, states and sums of our own. Not among them: a session's id, which opens the confirmation page. */
const FIELDS = new Set(
  (
    'reqId jobName eventId orderId refundId payoutId recoveryId ticketId userId subject noticeId paymentId disputeId ' +
    'providerRefundId providerDisputeId kind type state why cents owedCents feeCents statement settled left subjects ' +
    'removed place pid reason'
  ).split(' '),
);

export function openLog(level: string, destination: DestinationStream): Logger {
  const options = { level, formatters: { log: letOut, bindings: letOut }, hooks: { logMethod: inOurWords } };
  return pino(options, destination);
}

function letOut(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'err') kept[name] = loggedError(value);
    else if (FIELDS.has(name)) kept[name] = plain(value);
  }
  return kept;
}

/** Texts without what they quote; of a group only its numbers. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return withoutValues(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).filter(([, part]) => typeof part === 'number'));
}

type LogLine = [fields: object, words: string];

/** Libraries write lines, too: of an error alone the message would become the line, and of a line the rest be put into it. */
function inOurWords(this: Logger, [first, second]: unknown[], write: (...line: LogLine) => void): void {
  const fields = first instanceof Error ? { err: first } : typeof first === 'object' && first !== null ? first : {};
  const words = typeof first === 'string' ? first : second;
  const isOfError = 'err' in fields && fields.err instanceof Error && fields.err.message === words;
  write.call(this, fields, typeof words === 'string' && !isOfError ? withoutValues(words) : 'an error');
}
