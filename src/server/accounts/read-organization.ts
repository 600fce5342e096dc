import type { Deps } from '#server/deps.ts';
import { findAccountInformation } from './accounts.sql.ts';

export interface Organization {
  organizationName: string;
  organizationType: 'individual' | 'company';
}

/** `null` until the organizer has filled in the account information. */
export async function readOrganization({ db }: Pick<Deps, 'db'>, userId: string): Promise<Organization | null> {
  const information = await findAccountInformation(db, userId);
  if (!information.organizationName || !information.organizationType) return null;
  const { organizationName, organizationType } = information;
  return { organizationName, organizationType };
}
