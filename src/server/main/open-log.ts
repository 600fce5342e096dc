/**
 * Opens the log, which contains no personal data or secrets. Fields are allowlisted rather than blocklisted, so that new fields,
 * errors and library messages cannot leak an address or a name into files that are stored for weeks.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { loggedError, withoutValues } from './logged-error.ts';

/** Our own ids, states and amounts. Checkout session ids are excluded, because they give access to the confirmation page. */
const ALLOWED_FIELDS = new Set(
  (
    'reqId jobName eventId orderId refundId payoutId reversalId ticketId userId organizationId subject webhookEventId paymentId disputeId ' +
    'stripeRefundId stripeDisputeId kind type state why cents owedCents feeCents statement settled left subjects ' +
    'removed resealed slot pid exitCode signalCode reason seconds count alerts'
  ).split(' '),
);

/** Written by us, whatever was asked: an error's code, a route's pattern, and which code runs. */
const OUR_WORDS = new Set(['code', 'route', 'version', 'commit', 'schema']);

/** Of every line, in the order of docs/running.md. */
export const logFields: readonly string[] = ['err', ...OUR_WORDS, ...ALLOWED_FIELDS];

export function openLog(level: string, destination: DestinationStream): Logger {
  const options = {
    level,
    formatters: { log: filterFields, bindings: filterFields },
    hooks: { logMethod: sanitizeMessage },
  };
  return pino(options, destination);
}

function filterFields(fields: Record<string, unknown>): Record<string, unknown> {
  const filtered: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'err') filtered[name] = loggedError(value);
    else if (OUR_WORDS.has(name)) filtered[name] = value;
    else if (ALLOWED_FIELDS.has(name)) filtered[name] = sanitize(value);
  }
  return filtered;
}

/** Removes quoted values from texts, and all but numbers from objects. */
function sanitize(value: unknown): unknown {
  if (typeof value === 'string') return withoutValues(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).filter(([, part]) => typeof part === 'number'));
}

type LogLine = [fields: object, message: string];

/** Libraries log here too. Pino would turn an error's message into the log line, and interpolate further arguments into it. */
function sanitizeMessage(this: Logger, [first, second]: unknown[], write: (...line: LogLine) => void): void {
  const fields = first instanceof Error ? { err: first } : typeof first === 'object' && first !== null ? first : {};
  const text = typeof first === 'string' ? first : second;
  const isErrorMessage = 'err' in fields && fields.err instanceof Error && fields.err.message === text;
  write.call(this, fields, typeof text === 'string' && !isErrorMessage ? withoutValues(text) : 'an error');
}
