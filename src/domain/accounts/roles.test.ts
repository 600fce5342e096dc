import { describe, expect, it } from 'vitest';
import { type Scope, scopes } from './api-keys.ts';
import { denyPassword } from './passwords.ts';
import {
  type Action,
  type Authority,
  actionToManage,
  denyAction,
  isForAllEvents,
  isGiven,
  type Role,
  roles,
  scopeFor,
} from './roles.ts';

const fresh: Omit<Authority, 'role'> = {
  onlyEventIds: null,
  emailVerifiedAt: new Date(),
  isReauthenticated: true,
  lacksFactor: false,
  scopes: null,
};

/** What operators and organizers were promised, apart from the code: role by role, and what has to be proved. */
const PROMISED: [Action, string, ...('address' | 'password')[]][] = [
  ['event.view', 'owner admin editor finance check-in viewer'],
  ['event.create', 'owner admin editor'],
  ['event.edit', 'owner admin editor'],
  ['event-tax.edit', 'owner admin finance'],
  ['event.cancel', 'owner admin'],
  ['sales.view', 'owner admin editor finance viewer'],
  ['guest.view', 'owner admin editor finance'],
  ['guest.export', 'owner admin finance', 'password'],
  ['ticket.resend', 'owner admin editor'],
  ['ticket.refund', 'owner admin finance', 'address', 'password'],
  ['check-in.manage', 'owner admin editor'],
  ['check-in.scan', 'owner admin editor check-in'],
  ['dispute.answer', 'owner admin finance'],
  ['payout.view', 'owner admin finance'],
  ['payout.request', 'owner finance', 'address', 'password'],
  ['audit.view', 'owner admin'],
  ['affiliate-code.generate', 'owner admin'],
  ['api-key.view', 'owner admin'],
  ['api-key.create', 'owner admin', 'address', 'password'],
  ['api-key.revoke', 'owner admin'],
  ['webhook.view', 'owner admin'],
  ['webhook.create', 'owner admin', 'address', 'password'],
  ['webhook.change', 'owner admin'],
  ['member.view', 'owner admin'],
  ['organization-page.edit', 'owner admin', 'address'],
  ['member.manage', 'owner admin', 'address'],
  ['owner.manage', 'owner', 'address', 'password'],
  ['organization.identify', 'owner', 'address'],
  ['tax-id.change', 'owner', 'address', 'password'],
  ['organization.require-factor', 'owner', 'password'],
  ['organization.export', 'owner', 'password'],
  ['payout-account.manage', 'owner', 'address', 'password'],
];

describe('an action', () => {
  it.each(PROMISED)('%s is for %s [ROLE-1 AUTH-1 AUTH-8]', (action, allowed, ...proofs) => {
    const deny = (role: Role, change: Partial<Authority> = {}) => denyAction({ ...fresh, role, ...change }, action);
    const may = roles.filter((role) => deny(role) === null);

    expect(may.join(' ')).toBe(allowed);
    for (const role of roles.filter((one) => !may.includes(one))) expect(deny(role)).toBe('role-denied');
    for (const role of roles) expect(deny(role, { lacksFactor: true })).toBe('factor-required');
    for (const role of may) {
      const unproved = deny(role, { emailVerifiedAt: null });
      expect(unproved).toBe(proofs.includes('address') ? 'email-unverified' : null);
      const stale = deny(role, { isReauthenticated: false });
      expect(stale).toBe(proofs.includes('password') ? 'reauthentication-required' : null);
    }
  });
});

/** Which scopes let a key do it; the first one is what a denied key is missing. */
const PROMISED_TO_KEYS: [Action, string][] = [
  ['event.view', 'events:read events:write orders:read guests:write check_ins:write reports:read webhooks:write'],
  ['event.create', 'events:write'],
  ['event.edit', 'events:write'],
  ['sales.view', 'reports:read'],
  ['guest.view', 'orders:read'],
  ['comp.manage', 'guests:write'],
  ['check-in.scan', 'check_ins:write'],
  ['payout.view', 'reports:read'],
  ['webhook.view', 'webhooks:write'],
  ['webhook.create', 'webhooks:write'],
  ['webhook.change', 'webhooks:write'],
];

describe('a key', () => {
  /** The least that a person could have, so that only the scope can allow it. */
  const unproved = { ...fresh, emailVerifiedAt: null, isReauthenticated: false, lacksFactor: true };
  const deny = (action: Action, ...given: Scope[]) =>
    denyAction({ ...unproved, role: 'viewer', scopes: given }, action);

  it.each(PROMISED_TO_KEYS)('may %s with %s, whatever its maker had to prove [API-6]', (action, allowed) => {
    for (const scope of scopes)
      expect([scope, deny(action, scope)]).toEqual([scope, allowed.includes(scope) ? null : 'scope-missing']);
    expect([deny(action, ...scopes), deny(action)]).toEqual([null, 'scope-missing']);
    expect(scopeFor(action)).toBe(allowed.split(' ')[0]);
  });

  it('for chosen events creates none [API-6]', () => {
    const key: Authority = { ...fresh, role: 'owner', scopes, onlyEventIds: ['chosen'] };

    expect([denyAction(key, 'event.create'), denyAction(key, 'event.edit')]).toEqual(['key-of-chosen-events', null]);
  });

  it('does nothing else, even if an owner made it and its scopes are all there are [API-6]', () => {
    const toKeys = PROMISED_TO_KEYS.map(([action]) => action);
    const others = PROMISED.map(([action]) => action).filter((action) => !toKeys.includes(action));

    for (const action of others) {
      expect([action, denyAction({ ...fresh, role: 'owner', scopes }, action)]).toEqual([action, 'role-denied']);
      expect(scopeFor(action)).toBeNull();
    }
  });
});

describe('a member with chosen events', () => {
  const restricted: Authority = { ...fresh, role: 'editor', onlyEventIds: ['chosen'] };

  it('has no others, and creates none [ORG-3 ROLE-1]', () => {
    expect([isGiven(restricted, 'chosen'), isGiven(restricted, 'other'), isGiven(fresh, 'other')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(denyAction(restricted, 'event.create')).toBe('role-denied');
    expect(denyAction(restricted, 'event.edit')).toBeNull();
  });

  it('is neither owner nor admin [ORG-3]', () => {
    expect(roles.filter(isForAllEvents)).toEqual(['owner', 'admin']);
  });
});

it('takes an owner to give or take the role of an owner [ROLE-1]', () => {
  expect(actionToManage('editor', 'viewer')).toBe('member.manage');
  expect(actionToManage('editor', 'owner')).toBe('owner.manage');
  expect(actionToManage('owner', 'viewer')).toBe('owner.manage');
});

describe('a password', () => {
  const owner = {
    names: ['Ada@example.com', 'Cooperage Nights'],
    commonPasswords: new Set(['password1']),
  };

  it.each([
    ['password1', 'password-common'],
    ['PassWord1', 'password-common'],
    ['ada@EXAMPLE.com', 'password-common'],
    ['cooperage nights', 'password-common'],
    ['password12', null],
    ['three random words', null],
  ])('%s: %s [AUTH-4]', (password, denial) => {
    expect(denyPassword(password, owner)).toBe(denial);
  });

  it('may be any where the organization has no name yet', () => {
    expect(denyPassword('null', { ...owner, names: [null] })).toBeNull();
  });
});
