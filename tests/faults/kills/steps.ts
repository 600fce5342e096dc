/** Every step of every capability that moves money, as a point at which to kill the server. */
import type { Stop } from './killable.ts';

const CREATE_SESSION = { method: 'POST', path: '/v1/checkout/sessions' };
const EXPIRE_SESSION = { method: 'POST', path: '/v1/checkout/sessions/*' };
const READ_SESSION = { method: 'GET', path: '/v1/checkout/sessions/*' };
const REFUND = { method: 'POST', path: '/v1/refunds' };
const READ_ACCOUNT = { method: 'GET', path: '/v2/core/accounts/*' };
const TRANSFER = { method: 'POST', path: '/v1/transfers' };
const JOBS = 'graphile_worker._private_jobs';

/** Stripe has the payment, and the server has not recorded it. */
const PAID = `select 1 from sandbox.objects s join orders o on o.session_id = s.id
  where s.kind = 'checkout.session' and s.body->>'status' = 'complete' and o.state = 'reserved'`;

const write = (table: string) => ({ at: 'write' as const, table });
const call = (request: { method: string; path: string }): Stop => ({ at: 'call', ...request });
const answer = (request: { method: string; path: string }, table: string): Stop => ({
  at: 'answer',
  ...request,
  table,
});

export const steps = {
  checkout: [
    write('orders'),
    write('order_lines'),
    write('ticket_types'),
    call(CREATE_SESSION),
    answer(CREATE_SESSION, 'orders'),
  ],
  fulfil: [
    { ...write('webhook_events'), since: PAID },
    { ...write(JOBS), since: PAID },
    call(READ_SESSION),
    answer(READ_SESSION, 'orders'),
    { ...write('orders'), since: PAID },
    { ...write('tickets'), since: PAID },
    { ...write('ledger_entries'), since: PAID },
    { ...write('email_outbox'), since: PAID },
    { at: 'change', rows: 'select id from webhook_events where processed_at is null for update' },
  ],
  refund: [
    write('tickets'),
    write('refunds'),
    write(JOBS),
    call(REFUND),
    answer(REFUND, 'refunds'),
    write('ledger_entries'),
    write('ticket_types'),
    write('email_outbox'),
  ],
  payout: [
    call(READ_ACCOUNT),
    write('payouts'),
    call(TRANSFER),
    answer(TRANSFER, 'payouts'),
    write('ledger_entries'),
    write('email_outbox'),
  ],
  cancel: [
    write('events'),
    write(JOBS),
    call(EXPIRE_SESSION),
    answer(EXPIRE_SESSION, 'orders'),
    write('refunds'),
    write('tickets'),
    write('email_outbox'),
    call(REFUND),
    answer(REFUND, 'refunds'),
    write('ledger_entries'),
    write('ticket_types'),
  ],
} satisfies Record<string, Stop[]>;

export function nameOf(stop: Stop): string {
  if (stop.at === 'write') return `before its write to ${stop.table}`;
  if (stop.at === 'change') return 'with everything done, before it marks the webhook event';
  const call = `${stop.method} ${stop.path}`;
  return stop.at === 'call' ? `in the call ${call}` : `with the response to ${call}, before it writes to ${stop.table}`;
}
