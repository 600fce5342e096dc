import type { Deps } from '#server/deps.ts';
import { tokensOf, unusedCodeOf } from './affiliates.sql.ts';

/** The organizer's tokens, and the code that can still be given to somebody. */
export async function readAffiliation({ db }: Pick<Deps, 'db'>, organizerId: string) {
  return { tokenCount: await tokensOf(db, organizerId), affiliateCode: await unusedCodeOf(db, organizerId) };
}
