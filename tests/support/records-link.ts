import { requestRecordsLink } from '#contract/app/privacy.ts';
import { emailsTo, expectOk } from './people.ts';
import type { TestApp } from './test-app.ts';

/** The token of a link to the data of an address. */
export async function recordsLinkTo(app: TestApp, email: string): Promise<string> {
  expectOk(await app.call(requestRecordsLink, { email }));
  // The tickets' email may arrive later.
  const links = (await emailsTo(app, email)).map(({ text }) => /\/privacy\/([\w%-]{20,})/.exec(text)?.[1]);
  const token = links.find((link) => link !== undefined);
  if (!token) throw new Error(`no link was emailed to ${email}`);
  return decodeURIComponent(token);
}
