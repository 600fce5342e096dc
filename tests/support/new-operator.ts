import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import type { Visitor } from './http-visitor.ts';
import { newOrganizer } from './people.ts';
import type { TestApp } from './test-app.ts';

/** The browser of a new admin. */
export async function newOperator(app: TestApp): Promise<Visitor> {
  const { visitor, email } = await newOrganizer(app);
  await appointAdmin(app.deps, { email, isAdmin: true });
  return visitor;
}
