/** Queries for the console: the newest rows of each table. */

import type { OperationContext } from '../operation-context.ts';

const LIMIT = 15;

export interface PaymentRow {
  id: string;
  status: string;
  cents: number;
  refundedCents: number;
  isPaid: boolean;
  disputeStatus: string | null;
  email: string | null;
  method: string | null;
  created: number;
}

export function recentPayments(ctx: OperationContext): Promise<PaymentRow[]> {
  return queryRows<PaymentRow>(
    ctx,
    `select p.id, p.body->>'status' as status, (p.body->>'amount')::float8 as cents,
            coalesce((c.body->>'amount_refunded')::float8, 0) as "refundedCents",
            coalesce((c.body->>'paid')::boolean, false) as "isPaid",
            (select d.body->>'status' from sandbox.objects d
              where d.kind = 'dispute' and d.body->>'charge' = c.id order by d.created desc, d.seq desc limit 1) as "disputeStatus",
            coalesce(c.body#>>'{billing_details,email}', p.inside#>>'{underWay,payer,email}') as email,
            coalesce(concat_ws(' ', c.body#>>'{payment_method_details,card,brand}', c.body#>>'{payment_method_details,card,last4}'),
                     '') || coalesce('bank account ' || (c.body#>>'{payment_method_details,us_bank_account,last4}'), '') as method,
            p.created
       from sandbox.objects p left join sandbox.objects c on c.id = p.body->>'latest_charge'
      where p.kind = 'payment_intent' order by p.created desc, p.seq desc limit ${LIMIT}`,
  );
}

export interface RefundRow {
  id: string;
  status: string;
  reason: string | null;
  cents: number;
  payment: string;
  created: number;
}

export function recentRefunds(ctx: OperationContext): Promise<RefundRow[]> {
  return queryRows<RefundRow>(
    ctx,
    `select id, body->>'status' as status, coalesce(body->>'failure_reason', body->>'pending_reason') as reason,
            (body->>'amount')::float8 as cents, body->>'payment_intent' as payment, created
       from sandbox.objects where kind = 'refund' order by created desc, seq desc limit ${LIMIT}`,
  );
}

export interface DisputeRow {
  id: string;
  status: string;
  reason: string;
  cents: number;
  payment: string;
  created: number;
}

export function recentDisputes(ctx: OperationContext): Promise<DisputeRow[]> {
  return queryRows<DisputeRow>(
    ctx,
    `select id, body->>'status' as status, body->>'reason' as reason, (body->>'amount')::float8 as cents,
            body->>'payment_intent' as payment, created
       from sandbox.objects where kind = 'dispute' order by created desc, seq desc limit ${LIMIT}`,
  );
}

export interface TransferRow {
  id: string;
  cents: number;
  reversedCents: number;
  destination: string;
  description: string;
  created: number;
}

export function recentTransfers(ctx: OperationContext): Promise<TransferRow[]> {
  return queryRows<TransferRow>(
    ctx,
    `select t.id, (t.body->>'amount')::float8 as cents, (t.body->>'amount_reversed')::float8 as "reversedCents",
            coalesce(a.body->>'display_name', t.body->>'destination') as destination,
            coalesce(t.body->>'description', t.body->>'transfer_group', '') as description, t.created
       from sandbox.objects t left join sandbox.objects a on a.id = t.body->>'destination'
      where t.kind = 'transfer' order by t.created desc, t.seq desc limit ${LIMIT}`,
  );
}

export interface AccountRow {
  id: string;
  name: string;
  isClosed: boolean;
  transfers: string | null;
  isOnboarded: boolean;
  cents: number;
}

export function recentAccounts(ctx: OperationContext): Promise<AccountRow[]> {
  return queryRows<AccountRow>(
    ctx,
    `select a.id, coalesce(a.body->>'display_name', a.body->>'contact_email') as name,
            (a.body->>'closed')::boolean as "isClosed",
            a.body#>>'{configuration,recipient,capabilities,stripe_balance,stripe_transfers,status}' as transfers,
            (a.inside->>'isOnboarded')::boolean as "isOnboarded",
            coalesce((select sum(net) from sandbox.balance_transactions t where t.account = a.id), 0)::float8 as cents
       from sandbox.objects a where a.kind = 'v2.core.account' order by a.created desc, a.seq desc limit ${LIMIT}`,
  );
}

export interface SessionRow {
  id: string;
  status: string;
  paymentStatus: string;
  cents: number;
  email: string | null;
  created: number;
}

export function recentSessions(ctx: OperationContext): Promise<SessionRow[]> {
  return queryRows<SessionRow>(
    ctx,
    `select id, body->>'status' as status, body->>'payment_status' as "paymentStatus",
            (body->>'amount_total')::float8 as cents, body->'customer_details'->>'email' as email, created
       from sandbox.objects where kind = 'checkout.session' order by created desc, seq desc limit ${LIMIT}`,
  );
}

export interface BalanceTransactionRow {
  type: string;
  description: string;
  source: string;
  cents: number;
  feeCents: number;
  status: string;
  created: number;
}

export function recentBalanceTransactions(ctx: OperationContext): Promise<BalanceTransactionRow[]> {
  return queryRows<BalanceTransactionRow>(
    ctx,
    `select type, reporting_category as description, source, amount as cents, fee as "feeCents", status, created
       from sandbox.balance_transactions where account is null order by created desc, seq desc limit ${LIMIT}`,
  );
}

export interface EventRow {
  id: string;
  type: string;
  created: number;
  isQueued: boolean;
  /** Each attempt, oldest first. */
  attempts: { at: number; answer: string }[];
}

export function recentEvents(ctx: OperationContext): Promise<EventRow[]> {
  return queryRows<EventRow>(
    ctx,
    `select e.id, e.type, e.created,
            exists (select from sandbox.deliveries d where d.event_id = e.id and d.next_attempt_at is not null) as "isQueued",
            coalesce((select json_agg(json_build_object('at', a.at, 'answer', a.answer) order by a.id)
                        from sandbox.delivery_attempts a join sandbox.deliveries d on d.id = a.delivery_id
                       where d.event_id = e.id), '[]'::json) as attempts
       from sandbox.events e order by e.created desc, e.seq desc limit 25`,
  );
}

async function queryRows<Row extends object>({ tx }: OperationContext, statement: string): Promise<Row[]> {
  const { rows } = await tx.query<Row>(statement);
  return rows;
}
