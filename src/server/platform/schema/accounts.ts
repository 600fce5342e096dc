import type { Generated } from 'kysely';
import type { Scope } from '#domain/accounts/api-keys.ts';
import type { FactorKind } from '#domain/accounts/factors.ts';
import type { Role } from '#domain/accounts/roles.ts';

export interface AccountsTables {
  users: {
    id: string;
    email: string;
    /** Null once someone else may know the password: a reset link sets a new one. */
    passwordHash: string | null;
    emailVerifiedAt: Date | null;
    isAdmin: Generated<boolean>;
    firstName: string | null;
    lastName: string | null;
    /** `YYYY-MM-DD`: a date of birth has no time zone. */
    dateOfBirth: string | null;
    phoneNumber: string | null;
    createdAt: Date;
    /** Set when the date of birth is deleted. */
    adultConfirmedAt: Date | null;
    erasedAt: Date | null;
  };
  /** Of programs. The key itself is known to its holder only. */
  apiKeys: {
    id: string;
    organizationId: string;
    /** It ends when this member no longer manages the organization. */
    createdBy: string;
    name: string;
    secretHash: Buffer;
    scopes: Scope[];
    /** Null: all events, also future ones. */
    onlyEventIds: string[] | null;
    createdAt: Date;
    expiresAt: Date;
    lastUsedAt: Date | null;
    revokedAt: Date | null;
  };
  organizations: {
    id: string;
    name: string | null;
    bio: string | null;
    type: 'individual' | 'company' | null;
    taxIdSealed: Buffer | null;
    taxIdLast4: string | null;
    tokenCount: Generated<number>;
    feeWaivers: Generated<number>;
    requiresFactor: Generated<boolean>;
    planId: Generated<string>;
    reservePercent: Generated<number | null>;
    reserveDays: Generated<number | null>;
    /** Set by an operator, with the reason. */
    suspendedAt: Generated<Date | null>;
    suspendedBy: Generated<string | null>;
    suspendReason: Generated<string | null>;
    /** Of its public page, `/o/{slug}`. Null: it has none. */
    slug: Generated<string | null>;
    website: Generated<string | null>;
    logoFile: Generated<string | null>;
    accent: Generated<string | null>;
    isPagePublic: Generated<boolean>;
    createdAt: Date;
    erasedAt: Date | null;
  };
  formerSlugs: { slugHash: Buffer; organizationId: string; until: Date; closedUntil: Date };
  plans: {
    id: string;
    name: string;
    activeEventsMax: number;
    processingCents: number;
    standardBp: number;
    standardFlatCents: number;
    largeBp: number;
    largeFlatCents: number;
    largeFrom: number;
    isPublic: boolean;
    retiredAt: Date | null;
  };
  memberships: {
    organizationId: string;
    userId: string;
    role: Role;
    /** Null: all events, also future ones. */
    onlyEventIds: string[] | null;
    joinedAt: Date;
    lastSeenAt: Date | null;
  };
  invitations: {
    id: string;
    organizationId: string;
    email: string;
    role: Role;
    onlyEventIds: string[] | null;
    tokenHash: Buffer;
    invitedBy: string | null;
    createdAt: Date;
    expiresAt: Date;
  };
  sessions: {
    id: string;
    userId: string;
    organizationId: string;
    bindingHash: Buffer | null;
    browserLabel: string | null;
    actingAs: string | null;
    actingUntil: Date | null;
    createdAt: Date;
    lastSeenAt: Date;
    reauthenticatedAt: Date;
    expiresAt: Date;
  };
  userFactors: {
    id: string;
    userId: string;
    kind: FactorKind;
    name: string;
    createdAt: Date;
    confirmedAt: Date | null;
    lastUsedAt: Date | null;
    secretSealed: Buffer | null;
    lastStep: number | null;
    credentialId: string | null;
    publicKey: Buffer | null;
    signCount: number | null;
    /** The only host where a passkey works. */
    host: string | null;
  };
  knownBrowsers: { userId: string; browserHash: Buffer; lastSeenAt: Date };
  recoveryCodes: { userId: string; codeHash: Buffer; createdAt: Date };
  factorChallenges: {
    id: string;
    purpose: 'log-in' | 'log-in-with-passkey' | 'add-passkey';
    userId: string | null;
    challenge: string | null;
    takesEmailedCode: Generated<boolean>;
    expiresAt: Date;
  };
  emailLinks: {
    id: Generated<string>;
    tokenHash: Buffer;
    userId: string;
    purpose: 'verify-email' | 'reset-password' | 'change-email' | 'undo-email-change';
    email: string;
    createdAt: Date;
    expiresAt: Date;
    usedAt: Date | null;
  };
  payoutAccounts: {
    organizationId: string;
    email: string;
    organizationName: string;
    organizationType: 'individual' | 'company';
    accountId: string | null;
    isActive: Generated<boolean>;
    /** See `AccountStanding`. */
    restrictedAt: Generated<Date | null>;
    closedAt: Generated<Date | null>;
    salesStoppedAt: Generated<Date | null>;
    /** Null while payouts wait for an owner to confirm the account. */
    confirmedAt: Date | null;
    /** Payouts are requested for the organization. */
    requestsPayouts: Generated<boolean>;
    createdAt: Date;
    readAt: Date;
  };
  affiliateCodes: {
    code: string;
    ownerId: string;
    createdAt: Date;
    redeemedBy: string | null;
    eventId: string | null;
    redeemedAt: Date | null;
    rewardedAt: Date | null;
    expiredAt: Date | null;
  };
}
