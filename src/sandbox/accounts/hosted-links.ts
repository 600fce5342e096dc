/** Single-use links to a connected account's hosted pages. They expire after minutes. */

import { timingSafeEqual } from 'node:crypto';
import { randomText } from '#sandbox/ids.ts';
import type { OperationContext } from '#sandbox/operation-context.ts';

const LINK_SECONDS = 5 * 60;
const VISIT_SECONDS = 15 * 60;

export interface Link {
  token: string;
  account: string;
  refreshUrl: string | null;
  returnUrl: string | null;
  visitSecret: string | null;
}

type Purpose = 'connect' | 'express';

export async function createLink(
  ctx: OperationContext,
  purpose: Purpose,
  link: { account: string; refreshUrl: string | null; returnUrl: string | null },
): Promise<{ url: string; expiresAt: number }> {
  const token = randomText(40);
  const expiresAt = ctx.now + LINK_SECONDS;
  await ctx.tx.query(
    'insert into sandbox.links (token, purpose, account, refresh_url, return_url, expires_at) values ($1, $2, $3, $4, $5, $6)',
    [token, purpose, link.account, link.refreshUrl, link.returnUrl, expiresAt],
  );
  return { url: `${ctx.publicUrl}/sandbox/${purpose}/${token}`, expiresAt };
}

/** Consumes the link and returns a secret for the rest of the visit. Null when the link is used or expired. */
export async function openLink(ctx: OperationContext, purpose: Purpose, token: string): Promise<Link | null> {
  const { rows } = await ctx.tx.query<Link>(
    `update sandbox.links set visited_at = $3, visit_secret = $4
      where token = $1 and purpose = $2 and visited_at is null and expires_at > $3 returning ${COLUMNS}`,
    [token, purpose, ctx.now, randomText(32)],
  );
  return rows[0] ?? null;
}

/** Locks the link of an open visit. */
export async function lockOpenVisit(
  ctx: OperationContext,
  purpose: Purpose,
  token: string,
  secret: string,
): Promise<Link | null> {
  const { rows } = await ctx.tx.query<Link>(
    `select ${COLUMNS} from sandbox.links
      where token = $1 and purpose = $2 and visited_at > $3 and finished_at is null for update`,
    [token, purpose, ctx.now - VISIT_SECONDS],
  );
  const link = rows[0];
  return link?.visitSecret && secretsMatch(link.visitSecret, secret) ? link : null;
}

export async function finishVisit(ctx: OperationContext, token: string): Promise<void> {
  await ctx.tx.query('update sandbox.links set finished_at = $2 where token = $1', [token, ctx.now]);
}

/** Where to redirect from a used or expired link. */
export async function findRefreshUrl(ctx: OperationContext, token: string): Promise<string | null> {
  const { rows } = await ctx.tx.query<{ refreshUrl: string | null }>(
    'select refresh_url as "refreshUrl" from sandbox.links where token = $1',
    [token],
  );
  return rows[0]?.refreshUrl ?? null;
}

export function secretsMatch(expected: string, actual: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(actual)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const COLUMNS = 'token, account, refresh_url as "refreshUrl", return_url as "returnUrl", visit_secret as "visitSecret"';
