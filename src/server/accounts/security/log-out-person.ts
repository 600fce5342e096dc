import { endSessionsTexts } from '#messages/security.ts';
import { endSessionsOf } from '#server/accounts/appoint-admin.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';

/** Operator action: ends all sessions of a person, for example after a stolen device. */
export async function logOutPerson(
  { db }: Pick<Deps, 'db'>,
  operator: Pick<Organizer, 'userId' | 'sessionId'>,
  email: string,
): Promise<{ msg: string }> {
  if (!(await endSessionsOf({ db }, email, operator))) throw new AppError('person.unknown');
  return { msg: endSessionsTexts.done };
}
