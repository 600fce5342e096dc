import { recordsLinkSent } from '#contract/privacy.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/jobs.sql.ts';

/** Answers the same, after the same work, for whatever address; whether anything is kept about it is looked up by a job. */
export async function requestRecordsLink(
  { db, tries }: Pick<Deps, 'db' | 'tries'>,
  { email, honeypot, ip }: { email: string; honeypot?: string | undefined; ip: string },
): Promise<{ msg: string }> {
  if (!honeypot && !(await isTooOften(tries, email, ip))) await enqueue(db, 'send-records-link', { email });
  return { msg: recordsLinkSent };
}

async function isTooOften(tries: Deps['tries'], email: string, ip: string): Promise<boolean> {
  if ((await tries.spend('records-link-address', ip)) !== null) return true;
  return (await tries.spend('records-link', email.toLowerCase())) !== null;
}
