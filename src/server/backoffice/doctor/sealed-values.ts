/** Checks that the app secrets open every sealed value, and says when an earlier one is no longer needed for that. */
import { countOutdated } from '#server/accounts/reseal/reseal.ts';
import type { Db } from '#server/platform/database.ts';
import type { AppSecret } from '#server/platform/secrets.ts';
import { type CheckResult, fail, pass } from './check-result.ts';

export async function checkSealedValues(db: Db, appSecret: AppSecret): Promise<CheckResult> {
  const { outdated, unreadable } = await countOutdated(db, appSecret);
  if (unreadable > 0)
    return fail(
      `Encrypted values that no secret in APP_SECRET opens: ${unreadable}. Add the secret that encrypted them after the current one.`,
    );
  if (appSecret.length === 1) return pass('APP_SECRET opens every encrypted value.');
  return outdated > 0
    ? pass(
        `Encrypted values that still use an earlier secret: ${outdated}. Keep it in APP_SECRET; a job encrypts them again.`,
      )
    : pass('No encrypted value uses an earlier secret of APP_SECRET.');
}
