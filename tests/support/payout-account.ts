/** What Stripe does to a connected account. */
import type { TestApp } from './test-app.ts';

/** Changes the organization's account; its webhook has been processed on return. */
export async function accountBecomes(app: TestApp, organizationId: string, status: 'active' | 'restricted' | 'closed') {
  const { accountId } = await app.db
    .selectFrom('payoutAccounts')
    .where('organizationId', '=', organizationId)
    .select('accountId')
    .executeTakeFirstOrThrow();
  const reply = await fetch(`${app.sandboxUrl}/_sandbox/accounts/${accountId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  });
  if (!reply.ok) throw new Error(`the account was not changed: ${await reply.text()}`);
  await app.settle();
}
