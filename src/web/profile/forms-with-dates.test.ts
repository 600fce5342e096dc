import { describe, expect, it } from 'vitest';
import { accountInfoFormToday, eventEditFormToday, eventFormToday } from './forms-with-dates.ts';

const event = {
  title: 'Basement Brass',
  description: 'Nine horns',
  street: '180 Orchard St',
  city: 'Brooklyn',
  state: 'NY',
  postalCode: '11201',
  timezone: 'America/New_York',
  startDate_startTime: '2126-06-12T20:00',
  endDate_endTime: '2126-06-12T23:00',
  participants: '300',
  tickets: [{ ticketName: 'Floor', ticketDescription: 'Standing', ticketPrice: '25', ticketQuantity: '100' }],
  latitude: '40.69',
  longitude: '-73.99',
};

const account = {
  firstName: 'Nia',
  lastName: 'Okafor',
  dateOfBirth: '1990-01-01',
  phoneNumber: '555',
  organizationName: 'Cooperage Nights',
  organizationBio: 'Loud music',
  organizationType: 'individual',
  individualTIN: '123-45-6789',
};

const problems = (
  form: typeof eventFormToday | typeof eventEditFormToday | ReturnType<typeof accountInfoFormToday>,
  values: object,
) => form.safeParse(values).error?.issues.map((issue) => [issue.path.join('.'), issue.message]) ?? [];

describe('the rules that depend on the day', () => {
  it('accepts what is right today', () => {
    expect(problems(eventFormToday, event)).toEqual([]);
    expect(problems(accountInfoFormToday(null), account)).toEqual([]);
  });

  it('reports a start in the past together with every other problem, at its field', () => {
    expect(problems(eventFormToday, { ...event, title: '', startDate_startTime: '2020-01-01T10:00' })).toEqual([
      ['title', 'Title is required'],
      ['startDate_startTime', 'Start date/time must be in the future'],
    ]);
  });

  it('reports both a start in the past and an end before it [EVT-11]', () => {
    const times = { startDate_startTime: '2020-01-01T10:00', endDate_endTime: '2019-12-31T10:00' };
    expect(problems(eventFormToday, { ...event, ...times })).toEqual([
      ['startDate_startTime', 'Start date/time must be in the future'],
      ['endDate_endTime', 'End date/time cannot be before start date/time'],
    ]);
  });

  it('reports an end before the start at the end', () => {
    expect(problems(eventFormToday, { ...event, endDate_endTime: '2126-06-12T19:00' })).toEqual([
      ['endDate_endTime', 'End date/time cannot be before start date/time'],
    ]);
  });

  it('lets an event that has begun be edited, but not ended before it began [EVT-11]', () => {
    const begun = { ...event, startDate_startTime: '2020-01-01T20:00' };
    expect(problems(eventEditFormToday, { ...begun, endDate_endTime: '2020-01-01T23:00' })).toEqual([]);
    expect(problems(eventEditFormToday, { ...begun, endDate_endTime: '2020-01-01T19:00' })).toEqual([
      ['endDate_endTime', 'End date/time cannot be before start date/time'],
    ]);
  });

  it('reports who is too young together with a missing tax ID type', () => {
    const child = { ...account, dateOfBirth: new Date().toISOString().slice(0, 10), organizationType: '' };
    expect(problems(accountInfoFormToday(null), child)).toEqual([
      ['organizationType', 'Please choose a tax ID type'],
      ['dateOfBirth', 'You must be at least 18 years old'],
    ]);
  });

  it('asks for the tax id of the chosen kind only, and not for one that is on file [INFO-6]', () => {
    const { individualTIN: _taxId, dateOfBirth: _birth, ...rest } = account;
    const company = { ...rest, organizationType: 'company' };

    expect(problems(accountInfoFormToday(null), rest)).toEqual([
      ['dateOfBirth', 'Date of birth is required'],
      ['individualTIN', 'SSN/ITIN must be 9 digits'],
    ]);
    expect(problems(accountInfoFormToday('individual'), { ...rest, individualTIN: '', dateOfBirth: '' })).toEqual([]);
    expect(problems(accountInfoFormToday('individual'), company)).toEqual([['companyTIN', 'EIN must be 9 digits']]);
    expect(problems(accountInfoFormToday('individual'), { ...company, companyTIN: '12-3456789' })).toEqual([]);
    expect(problems(accountInfoFormToday('company'), { ...company, companyTIN: '12' })).toEqual([
      ['companyTIN', 'EIN must be 9 digits'],
    ]);
  });

  it('stays quiet about the day where the fields are not even there', () => {
    expect(problems(eventFormToday, {}).filter(([field]) => field === '')).toEqual([]);
  });
});
