/** Parses the start of sales and the waiting room from the event form. */

import { BUYERS_PER_MINUTE_MAX } from '#domain/limits.ts';
import { instantOf } from '#domain/local-time.ts';
import { BUYERS_PER_MINUTE_DEFAULT } from '#domain/waiting-room.ts';
import type { EventForm } from './event-form.ts';
import type { FormProblem, FormReason } from './form-problem.ts';

export interface OnSale {
  /** Null if tickets are on sale immediately. */
  salesStartAt: Date | null;
  /** Null without a waiting room. */
  buyersPerMinute: number | null;
}

type OnSaleFields = Pick<EventForm, 'timezone' | 'salesStart' | 'useWaitingRoom' | 'buyersPerMinute'>;

/** Or the first problem. */
export function onSaleOf(form: OnSaleFields, { endsAt }: { endsAt: Date }): OnSale | FormProblem {
  const salesStartAt = form.salesStart ? instantOf(form.salesStart, form.timezone, 'earlier') : null;
  if (salesStartAt !== null && !(salesStartAt instanceof Date)) return startProblem(`sales-start.${salesStartAt}`);
  if (salesStartAt !== null && salesStartAt >= endsAt) return startProblem('sales-start.after-end');
  if (!form.useWaitingRoom) return { salesStartAt, buyersPerMinute: null };

  if (salesStartAt === null) return startProblem('sales-start.missing');
  const buyersPerMinute = rateOf(form.buyersPerMinute);
  return buyersPerMinute === null
    ? { field: 'buyersPerMinute', reason: 'buyers-per-minute.invalid' }
    : { salesStartAt, buyersPerMinute };
}

const startProblem = (reason: FormReason): FormProblem => ({ field: 'salesStart', reason });

function rateOf(typed: string | number | undefined): number | null {
  const text = String(typed ?? '').trim();
  if (text === '') return BUYERS_PER_MINUTE_DEFAULT;
  const rate = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return rate >= 1 && rate <= BUYERS_PER_MINUTE_MAX ? rate : null;
}
