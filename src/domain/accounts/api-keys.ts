/** Keys with which programs act for an organization. */

/** What a key is given. The actions that each allows are in roles.ts. */
export const scopes = [
  'events:read',
  'events:write',
  'orders:read',
  'guests:write',
  'check_ins:write',
  'reports:read',
  'webhooks:write',
] as const;

export type Scope = (typeof scopes)[number];

/** Live keys of an organization. */
export const KEYS_MAX = 10;

export const KEY_NAME_MAX = 60;

/** How long a key can be made to last. */
export const keyDays = [30, 90, 365, 730] as const;

export const KEY_DAYS_DEFAULT = 365 satisfies (typeof keyDays)[number];
