import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

interface OpenDisputeRow {
  disputeId: string;
  stripeDisputeId: string;
  eventId: string;
  title: string;
  organization: string | null;
  orderId: string;
  buyerEmail: string | null;
  cents: number;
  reason: string;
  isInquiry: boolean;
  dueAt: Date | null;
  evidenceSentAt: Date | null;
  total: number;
}

export async function openDisputes(db: Db, limit: number): Promise<OpenDisputeRow[]> {
  const { rows } = await sql<OpenDisputeRow>`
    select d.id as dispute_id, d.stripe_dispute_id, d.event_id, e.title, n.name as organization, d.order_id, o.buyer_email,
           d.cents, d.reason, d.state = 'inquiry' as is_inquiry, d.due_at, s.sent_at as evidence_sent_at,
           count(*) over ()::int as total
      from disputes d
      join events e on e.id = d.event_id
      join organizations n on n.id = e.organization_id
      join orders o on o.event_id = d.event_id and o.id = d.order_id
      left join dispute_evidence s on s.event_id = d.event_id and s.dispute_id = d.id
     where d.state in ('open', 'inquiry')
     order by d.due_at nulls last, d.opened_at, d.id
     limit ${limit}`.execute(db);
  return rows;
}
