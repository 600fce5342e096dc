/** Emails in the outbox of an app that runs no jobs, and organizers who follow the link in the first one. */
import { verifyEmail } from '#contract/app/accounts.ts';
import { linkToken } from '#server/platform/outbox/link-token.ts';
import { newOrganizer } from './people.ts';
import type { TestApp } from './test-app.ts';

/** Oldest first. */
export const outboxOf = (app: TestApp, email: string) =>
  app.db
    .selectFrom('emailOutbox')
    .where('toAddress', '=', email)
    .select(['kind', 'subjectId', 'state'])
    .orderBy('version')
    .execute();

export async function verificationToken(app: TestApp, email: string): Promise<string> {
  const [message] = await outboxOf(app, email);
  if (!message) throw new Error(`No email to ${email}.`);
  return linkToken(app.deps.appSecret, message.subjectId);
}

export async function verifiedInBrowser(app: TestApp) {
  const organizer = await newOrganizer(app, { isBrowser: true });
  await organizer.visitor.send(verifyEmail, { token: await verificationToken(app, organizer.email) });
  return organizer;
}
