import type { Deps } from '#server/deps.ts';
import { removeSession } from './accounts.sql.ts';
import { authenticate } from './authenticate.ts';

/** Ends the session if there is one: asking twice, or without one, is no error. */
export async function logOut(
  deps: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  credentials: { token: string | undefined; binding: string | undefined },
): Promise<void> {
  const organizer = await authenticate(deps, credentials);
  if (organizer) await removeSession(deps.db, organizer.sessionId);
}
