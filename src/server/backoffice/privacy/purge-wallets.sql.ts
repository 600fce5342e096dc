/** Passes in wallets, which nothing updates any more. */
import { sql } from 'kysely';
import { type Sweep, sweepPage } from './purge.sql.ts';

/** With the phones that have them. */
export const sweepWalletPasses: Sweep = (db, { before, after, limit }) => {
  const [eventId, kind, passId] = after.split(' ');
  return sweepPage(
    db,
    sql`
    with page as (
           select event_id, kind, pass_id from wallet_passes
            where (event_id, kind, pass_id) > (${eventId ?? ''}, ${kind ?? ''}, ${passId ?? ''})
            order by event_id, kind, pass_id limit ${limit}),
         gone as (delete from wallet_passes w using page p, events e
                   where w.event_id = p.event_id and w.kind = p.kind and w.pass_id = p.pass_id and e.id = w.event_id
                     and e.latest_ends_at < ${before}
                  returning w.event_id)
    select (select event_id || ' ' || kind || ' ' || pass_id from page order by event_id desc, kind desc, pass_id desc limit 1) as last,
           (select count(*)::int from gone) as removed`,
  );
};
