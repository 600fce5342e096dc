import { codeRefusals } from '#contract/affiliates.ts';
import { CODE_PRICE_TOKENS, codeObstacle } from '#domain/affiliate.ts';
import type { Organizer } from '#server/accounts/authenticate.ts';
import { refuseUnlessOnboarded } from '#server/accounts/refuse-unless-onboarded.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { newAffiliateCode } from '#server/new-id.ts';
import { conflict } from '#server/refusal.ts';
import { addTokens, insertCode, lockTokens, unusedCodeOf } from './affiliates.sql.ts';

/** Spends the price and makes the code, both or neither; two clicks at once wait for each other. */
export async function generateCode({ db, clock }: Pick<Deps, 'db' | 'clock'>, organizer: Organizer): Promise<void> {
  await refuseUnlessOnboarded({ db }, organizer);
  const { userId: organizerId } = organizer;
  await inTransaction(db, async (tx) => {
    const tokenCount = await lockTokens(tx, organizerId);
    const hasUnusedCode = (await unusedCodeOf(tx, organizerId)) !== null;
    const obstacle = codeObstacle({ tokenCount, hasUnusedCode });
    if (obstacle) throw conflict(codeRefusals[obstacle]);

    await addTokens(tx, organizerId, -CODE_PRICE_TOKENS);
    await insertCode(tx, { code: newAffiliateCode(), ownerId: organizerId, createdAt: clock.now() });
  });
}
