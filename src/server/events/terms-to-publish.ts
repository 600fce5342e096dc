/** What making an event public, or a draft, takes of its organization. Called under the organization's lock. */
import { DRAFTS_MAX } from '#domain/limits.ts';
import type { EventTerms } from '#domain/payouts/refund-costs.ts';
import { denyPlan } from '#domain/plan.ts';
import { waiveProcessingFee } from '#server/accounts/affiliates/affiliate-codes.ts';
import { lockOrganization } from '#server/accounts/organization.ts';
import { planOf } from '#server/accounts/plans/plan-of.ts';
import { brakesOf, requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { countActiveEvents, countDrafts } from './events.sql.ts';

type TermsDeps = Pick<Deps, 'appSecret' | 'refundCosts'>;

interface EventToPublish {
  organizationId: string;
  eventId: string;
  affiliateCode: string | undefined;
  /** It is a date of this series. */
  seriesId: string | null;
  /** Published before, with a waiver: it keeps that one. */
  hasWaiver?: boolean;
}

/** Until the transaction ends, no other event of the organization is counted or added. */
export async function lockToAdd(tx: Db, organizationId: string): Promise<void> {
  if (!(await lockOrganization(tx, organizationId))) throw new AppError('session.missing');
  await requireNotSuspended(tx, organizationId);
}

/**
 * Takes a place in the plan and a fee waiver, which a date of an active series has already. Returns the columns of the event that
 * follow.
 */
export async function termsToPublish(
  { appSecret, refundCosts }: TermsDeps,
  tx: Db,
  { organizationId, eventId, affiliateCode, seriesId, hasWaiver = false }: EventToPublish,
  denied: (plan: { name: string; max: number }) => AppError,
) {
  const { name, activeEventsMax: max, terms } = await planOf(tx, organizationId);
  const standing = await countActiveEvents(tx, organizationId, seriesId);
  if (denyPlan(standing, max)) throw denied({ name, max });
  const takesWaiver = !hasWaiver && (!standing.isCounted || affiliateCode);
  const processingFeeWaived = takesWaiver
    ? await waiveProcessingFee({ db: tx, appSecret }, { organizationId, eventId, affiliateCode })
    : hasWaiver;
  // Stopped between the check of the account and this transaction.
  const { paidSalesStoppedAt } = await brakesOf(tx, organizationId);
  const feeTerms: EventTerms = { ...terms, refundCosts };
  return { feeTerms: JSON.stringify(feeTerms), paidSalesStoppedAt, processingFeeWaived };
}

/** The same for a draft, which takes neither. Publishing decides again what it is billed by. */
export async function termsOfDraft(
  { refundCosts }: Pick<TermsDeps, 'refundCosts'>,
  tx: Db,
  organizationId: string,
  seriesId: string | null = null,
) {
  await requireRoomForDraft(tx, organizationId, seriesId);
  const { terms } = await planOf(tx, organizationId);
  const { paidSalesStoppedAt } = await brakesOf(tx, organizationId);
  const feeTerms: EventTerms = { ...terms, refundCosts };
  return { feeTerms: JSON.stringify(feeTerms), paidSalesStoppedAt, processingFeeWaived: false };
}

/** Drafts of a series count once. */
export async function requireRoomForDraft(tx: Db, organizationId: string, seriesId: string | null): Promise<void> {
  const { drafts, isCounted } = await countDrafts(tx, organizationId, seriesId);
  if (!isCounted && drafts >= DRAFTS_MAX) throw new AppError('event.too-many-drafts');
}
