import type { pastVenues } from '#contract/app/records/workspace.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { PAST_VENUES_SHOWN } from '#domain/limits.ts';
import { authorize } from '#server/accounts/policies.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { latestVenues } from './workspace.sql.ts';

export async function listPastVenues({ db }: Pick<Deps, 'db'>, actor: Actor): Promise<ReplyOf<typeof pastVenues>> {
  authorize(actor, 'event.edit');
  return { venues: await latestVenues(db, actor, PAST_VENUES_SHOWN) };
}
