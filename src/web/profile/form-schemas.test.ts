import { describe, expect, it } from 'vitest';
import { formText, problemOf } from '#messages/forms.ts';
import { accountFormFor } from './account/account-form.ts';
import { editEventForm, newEventForm } from './form-schemas.ts';

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
  form: typeof newEventForm | typeof editEventForm | ReturnType<typeof accountFormFor>,
  values: object,
) =>
  form
    .safeParse(values)
    .error?.issues.map(problemOf)
    .map((problem) => [problem.field, formText(problem)]) ?? [];

describe('rules that depend on the date', () => {
  it('accepts valid input', () => {
    expect(problems(newEventForm, event)).toEqual([]);
    expect(problems(accountFormFor(null), account)).toEqual([]);
  });

  it('reports a start in the past at its field together with every other problem', () => {
    expect(problems(newEventForm, { ...event, title: '', startDate_startTime: '2020-01-01T10:00' })).toEqual([
      ['title', 'Title is required'],
      ['startDate_startTime', 'Start date/time must be in the future'],
    ]);
  });

  it('reports a title of nothing but invisible characters as missing [LIFE-8]', () => {
    expect(problems(newEventForm, { ...event, title: '\u200b\u2066\u2069\u00ad' })).toEqual([
      ['title', 'Title is required'],
    ]);
  });

  it('reports both a start in the past and an end before it [EVT-11]', () => {
    const times = { startDate_startTime: '2020-01-01T10:00', endDate_endTime: '2019-12-31T10:00' };
    expect(problems(newEventForm, { ...event, ...times })).toEqual([
      ['startDate_startTime', 'Start date/time must be in the future'],
      ['endDate_endTime', 'End date/time cannot be before start date/time'],
    ]);
  });

  it('reports an end before the start at the end field', () => {
    expect(problems(newEventForm, { ...event, endDate_endTime: '2126-06-12T19:00' })).toEqual([
      ['endDate_endTime', 'End date/time cannot be before start date/time'],
    ]);
  });

  it('lets a running event be edited, but not moved to end before its start [EVT-11]', () => {
    const begun = { ...event, startDate_startTime: '2020-01-01T20:00' };
    expect(problems(editEventForm, { ...begun, endDate_endTime: '2020-01-01T23:00' })).toEqual([]);
    expect(problems(editEventForm, { ...begun, endDate_endTime: '2020-01-01T19:00' })).toEqual([
      ['endDate_endTime', 'End date/time cannot be before start date/time'],
    ]);
  });

  it('reports an underage person together with a missing tax ID type', () => {
    const child = { ...account, dateOfBirth: new Date().toISOString().slice(0, 10), organizationType: '' };
    expect(problems(accountFormFor(null), child)).toEqual([
      ['organizationType', 'Please choose a tax ID type'],
      ['dateOfBirth', 'You must be at least 18 years old'],
    ]);
  });

  it('requires the tax ID of the chosen type only, and not one that is on file [INFO-6]', () => {
    const { individualTIN: _taxId, dateOfBirth: _birth, ...rest } = account;
    const company = { ...rest, organizationType: 'company' };

    expect(problems(accountFormFor(null), rest)).toEqual([
      ['dateOfBirth', 'Date of birth is required'],
      ['individualTIN', 'SSN/ITIN must be 9 digits'],
    ]);
    expect(problems(accountFormFor('individual'), { ...rest, individualTIN: '', dateOfBirth: '' })).toEqual([]);
    expect(problems(accountFormFor('individual'), company)).toEqual([['companyTIN', 'EIN must be 9 digits']]);
    expect(problems(accountFormFor('individual'), { ...company, companyTIN: '12-3456789' })).toEqual([]);
    expect(problems(accountFormFor('company'), { ...company, companyTIN: '12' })).toEqual([
      ['companyTIN', 'EIN must be 9 digits'],
    ]);
  });

  it('skips the date rules when the fields are missing', () => {
    expect(problems(newEventForm, {}).filter(([field]) => field === '')).toEqual([]);
  });
});
