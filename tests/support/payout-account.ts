/** What Stripe does to a connected account. */
import type { TestApp } from './test-app.ts';

type Status = 'active' | 'restricted' | 'closed';

/** Changes the organization's account; its webhook has been processed on return. */
export async function accountBecomes(app: TestApp, organizationId: string, status: Status): Promise<void> {
  await changeAccount(app, organizationId, status);
  await app.settle();
}

/** Changes the organization's account; its webhook is on its way on return. */
export async function changeAccount(
  { db, sandboxUrl }: Pick<TestApp, 'db' | 'sandboxUrl'>,
  organizationId: string,
  status: Status,
): Promise<void> {
  const { accountId } = await db
    .selectFrom('payoutAccounts')
    .where('organizationId', '=', organizationId)
    .select('accountId')
    .executeTakeFirstOrThrow();
  const reply = await fetch(`${sandboxUrl}/_sandbox/accounts/${accountId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  });
  if (!reply.ok) throw new Error(`the account was not changed: ${await reply.text()}`);
}
