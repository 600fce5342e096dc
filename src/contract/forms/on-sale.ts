/** Parses the start of sales and the waiting room from the event form. */
import { instantOf } from '#domain/local-time.ts';
import { BUYERS_PER_MINUTE_DEFAULT, BUYERS_PER_MINUTE_MAX } from '#domain/waiting-room.ts';
import type { EventForm, FieldProblem } from './event-form.ts';
import { unreadableTime } from './event-form.ts';

export interface OnSale {
  /** Null if tickets are on sale immediately. */
  salesStartAt: Date | null;
  /** Null without a waiting room. */
  buyersPerMinute: number | null;
}

type OnSaleFields = Pick<EventForm, 'timezone' | 'salesStart' | 'useWaitingRoom' | 'buyersPerMinute'>;

/** Returns the first problem as a message. */
export function onSaleOf(form: OnSaleFields, { endsAt }: { endsAt: Date }): OnSale | FieldProblem {
  const salesStartAt = form.salesStart ? instantOf(form.salesStart, form.timezone, 'earlier') : null;
  if (salesStartAt !== null && !(salesStartAt instanceof Date))
    return startProblem(unreadableTime('Sales start', salesStartAt));
  if (salesStartAt !== null && salesStartAt >= endsAt) return startProblem('Sales start must be before the event ends');
  if (!form.useWaitingRoom) return { salesStartAt, buyersPerMinute: null };

  if (salesStartAt === null) return startProblem('Set a sales start to use a waiting room');
  const buyersPerMinute = rateOf(form.buyersPerMinute);
  return buyersPerMinute === null
    ? {
        field: 'buyersPerMinute',
        msg: `Buyers per minute must be a whole number from 1 to ${BUYERS_PER_MINUTE_MAX.toLocaleString('en-US')}`,
      }
    : { salesStartAt, buyersPerMinute };
}

const startProblem = (msg: string): FieldProblem => ({ field: 'salesStart', msg });

function rateOf(typed: string | number | undefined): number | null {
  const text = String(typed ?? '').trim();
  if (text === '') return BUYERS_PER_MINUTE_DEFAULT;
  const rate = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return rate >= 1 && rate <= BUYERS_PER_MINUTE_MAX ? rate : null;
}
