import { expect, it } from 'vitest';
import { isOrganizersScreen } from './organizers-screen.ts';

it.each([
  ['/profile', true],
  ['/organization/team', true],
  ['/events/a/tickets', true],
  ['/events/a/page', true],
  ['/events/a/guests', true],
  ['/door/a', true],
  ['/dashboard', true],
  ['/payment/a', false],
  ['/eventsful', false],
  ['/', false],
])('%s shows the data of an organization: %s', (pathname, shows) => {
  expect(isOrganizersScreen(pathname)).toBe(shows);
});
