import { resetLinkSent } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/jobs.sql.ts';

interface ResetRequest {
  email: string;
  honeypot?: string | undefined;
  ip: string;
}

/**
 * Answers the same, after the same work, whoever asks for whatever address. Whether there is an account is looked up
 * later, by a job: here not even the time of the answer could tell.
 */
export async function requestPasswordReset(
  { db, tries }: Pick<Deps, 'db' | 'tries'>,
  { email, honeypot, ip }: ResetRequest,
): Promise<{ msg: string }> {
  // Silently: a refusal would tell a stranger that somebody else asks for this address, too.
  if (!honeypot && !(await isTooOften(tries, email, ip))) await enqueue(db, 'send-reset-link', { email });
  return { msg: resetLinkSent };
}

async function isTooOften(tries: Deps['tries'], email: string, ip: string): Promise<boolean> {
  if ((await tries.spend('forgot-password-address', ip)) !== null) return true;
  return (await tries.spend('forgot-password', email.toLowerCase())) !== null;
}
