import { describe, expect, it } from 'vitest';
import { timezoneWarning } from './state-timezone.ts';

const summer = new Date('2027-07-01T18:00:00Z');
const winter = new Date('2027-01-01T18:00:00Z');
const DENVER = 'America/Denver';
const CHICAGO = 'America/Chicago';

describe('time zone warning', () => {
  it('checks the state while there is no pin', () => {
    const warning = (state: string) => timezoneWarning({ state, pinZone: null }, CHICAGO, summer);

    expect(warning('NY')).toBe('NY is on Eastern Time, but you picked Central. Is that right?');
    expect(warning('OR')).toBe('OR is on Pacific or Mountain Time, but you picked Central. Is that right?');
    expect(warning('TX')).toBeNull();
    expect(warning('')).toBeNull();
  });

  it('checks the pin once there is one, even in a state with two zones', () => {
    const elPaso = { state: 'TX', pinZone: DENVER };

    expect(timezoneWarning(elPaso, CHICAGO, summer)).toBe(
      'The pin is on Mountain Time, but you picked Central. Is that right?',
    );
    expect(timezoneWarning(elPaso, DENVER, summer)).toBeNull();
  });

  it('accepts other zone names with the same local time', () => {
    expect(timezoneWarning({ state: 'ID', pinZone: 'America/Boise' }, DENVER, winter)).toBeNull();
    expect(timezoneWarning({ state: 'IN', pinZone: 'America/Indiana/Indianapolis' }, CHICAGO, summer)).toBe(
      'The pin is on Eastern Time, but you picked Central. Is that right?',
    );
  });

  it.each([summer, winter])('warns about a state outside the four zones, wherever the pin is', (at) => {
    const arizona = { state: 'AZ', pinZone: 'America/Phoenix' };

    expect(timezoneWarning(arizona, DENVER, at)).toBe(
      "AZ isn't in any of these four time zones. Enter the start and end in Mountain Time.",
    );
  });

  it('warns about a pin whose local time matches none of the four zones', () => {
    expect(timezoneWarning({ state: 'WA', pinZone: 'Pacific/Honolulu' }, DENVER, summer)).toBe(
      "The pin isn't in any of these four time zones. Enter the start and end in Mountain Time.",
    );
  });
});
