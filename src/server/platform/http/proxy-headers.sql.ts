/** Counts by real days: proxies don't follow the business clock. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export interface ProxyHeaderCount {
  requests: number;
  contradicting: number;
}

const DAYS_KEPT = 7;

export async function addProxyHeaderCount(
  db: Db,
  trustedProxies: number,
  { requests, contradicting }: ProxyHeaderCount,
) {
  await sql`
    insert into proxy_header_counts as c (trusted_proxies, day, requests, contradicting)
    values (${trustedProxies}, current_date, ${requests}, ${contradicting})
        on conflict (trusted_proxies, day) do update
       set requests = c.requests + excluded.requests, contradicting = c.contradicting + excluded.contradicting`.execute(
    db,
  );
  await sql`delete from proxy_header_counts where day < current_date - ${DAYS_KEPT}::integer`.execute(db);
}

/** Of today and yesterday. */
export async function proxyHeaderCount(db: Db, trustedProxies: number): Promise<ProxyHeaderCount> {
  const { rows } = await sql<ProxyHeaderCount>`
    select coalesce(sum(requests), 0)::float8 as requests, coalesce(sum(contradicting), 0)::float8 as contradicting
      from proxy_header_counts where trusted_proxies = ${trustedProxies} and day >= current_date - 1`.execute(db);
  return rows[0] ?? { requests: 0, contradicting: 0 };
}
