/** Webhook endpoints: what they receive, when a delivery is tried again, and when failures end an endpoint. */
import { retentionDays } from '../retention.ts';
import type { Scope } from './api-keys.ts';

export const webhookTypes = [
  'order.paid',
  'order.unfulfillable',
  'refund.sent',
  'ticket.checked_in',
  'ticket.check_in_undone',
  'ticket.transferred',
  'event.published',
  'event.updated',
  'event.cancelled',
  'payout.paid',
] as const;

export type WebhookType = (typeof webhookTypes)[number];

/** Sent only when a member or a program asks for it, whatever types were chosen. */
export const TEST_TYPE = 'webhook.test';

export type DeliveredType = WebhookType | typeof TEST_TYPE;

/** Besides `webhooks:write`, what a key needs to choose the type. `members`: no key reads it. */
const CHOSEN_BY: Record<WebhookType, Scope | 'members' | null> = {
  'order.paid': 'orders:read',
  'order.unfulfillable': 'orders:read',
  'refund.sent': 'orders:read',
  'ticket.checked_in': 'orders:read',
  'ticket.check_in_undone': 'orders:read',
  'ticket.transferred': 'orders:read',
  'event.published': null,
  'event.updated': null,
  'event.cancelled': null,
  'payout.paid': 'members',
};

/** Why a key can't choose these types, or null. */
export function denyTypes(
  scopes: readonly Scope[] | null,
  types: readonly WebhookType[],
): { scope: Scope } | 'members-only' | null {
  if (!scopes) return null;
  const needed = types.map((type) => CHOSEN_BY[type]);
  if (needed.includes('members')) return 'members-only';
  const missing = needed.find((scope): scope is Scope => scope !== null && !scopes.some((given) => given === scope));
  return missing ? { scope: missing } : null;
}

/** Live endpoints of an organization. */
export const ENDPOINTS_MAX = 10;
/** A rotated secret signs together with the new one. */
export const ROTATION_HOURS = 24;
/** Deliveries are listed, and can be sent again. */
export const DELIVERY_DAYS = retentionDays.webhookDelivery;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const RETRY_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** How much later than planned a retry comes at most, so that those of an outage don't come together. */
const JITTER = 0.1;

/**
 * Null after the last attempt.
 *
 * @param failures attempts so far
 * @param chance from 0 to 1
 */
export function retryAfterSeconds(failures: number, chance: number): number | null {
  const seconds = RETRY_SECONDS[failures - 1];
  return seconds === undefined ? null : seconds * (1 + JITTER * chance);
}

const DAY_MS = 24 * 60 * 60 * 1000;
const WARNED_AFTER_DAYS = 1;
const ENDED_AFTER_DAYS = 5;

/** What another failure means for its endpoint. @param failingSince of failures without a success in between */
export function failureLeadsTo(
  { failingSince, warnedAt }: { failingSince: Date; warnedAt: Date | null },
  now: Date,
): 'warning' | 'end' | null {
  const days = (now.getTime() - failingSince.getTime()) / DAY_MS;
  if (days >= ENDED_AFTER_DAYS) return 'end';
  return days >= WARNED_AFTER_DAYS && !warnedAt ? 'warning' : null;
}

/** `gone`: it answered 410. `failing`: for days. */
export type EndReason = 'member' | 'gone' | 'failing';
