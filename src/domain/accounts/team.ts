/** How large a team gets. */
export const MEMBERS_MAX = 50;
export const ORGANIZATIONS_PER_PERSON_MAX = 10;
export const INVITATION_DAYS = 7;
/** Events that one member can be given. */
export const ONLY_EVENTS_MAX = 100;

export type LeavingDenial = 'last-owner';

/** An organization needs an owner, whether the last one leaves, is removed or gets another role. */
export const denyLosingOwner = ({ otherOwners }: { otherOwners: number }): LeavingDenial | null =>
  otherOwners === 0 ? 'last-owner' : null;
