import { describe, expect, it } from 'vitest';
import { accountInfoForm, ageProblem, registerForm } from './accounts.ts';
import { eventForm } from './event-form.ts';

function sentences(
  schema: { safeParse(value: unknown): { error?: { issues: { message: string }[] } } },
  value: unknown,
) {
  return schema.safeParse(value).error?.issues.map((issue) => issue.message) ?? [];
}

describe('a form with several mistakes', () => {
  it('says each one, in the order of the fields [NAV-7]', () => {
    const form = {
      title: '',
      description: '',
      street: 'x'.repeat(101),
      city: '',
      state: '',
      postalCode: '#',
      timezone: '',
      startDate_startTime: '',
      endDate_endTime: '',
      participants: '!',
      tickets: [{ ticketName: '', ticketDescription: '', ticketPrice: 'x', ticketQuantity: '' }],
      latitude: '',
      longitude: '',
    };

    expect(sentences(eventForm, form)).toEqual([
      'Title is required',
      'Description is required',
      'Street must be 100 characters or less',
      'City is required',
      'State is required',
      'Postal code cannot contain symbols',
      'Time zone is required',
      'Start date/time is required',
      'End date/time is required',
      'Participants field cannot contain symbols',
      'Ticket 1 name is required',
      'Ticket 1 description is required',
      'Ticket 1 price must be a valid number',
      'Ticket 1 quantity must be a whole number from 1 to 100000',
      'Latitude must be a number between -90 and 90',
      'Longitude must be a number between -180 and 180',
    ]);
  });

  it('says at registration all that is wrong [REG-4 REG-5 REG-6 REG-7]', () => {
    const form = {
      email: `${'a'.repeat(300)}@b.co`,
      password: 'p'.repeat(301),
      confirmPassword: 'q',
      acceptedTerms: false,
    };

    expect(sentences(registerForm, form)).toEqual([
      'Email must be 300 characters or less.',
      'Password and Confirm Password must be 300 characters or less.',
      'Please accept the terms and conditions.',
      'Passwords do not match.',
    ]);
    expect(
      sentences(registerForm, {
        ...form,
        email: 'a@b.co',
        password: 'long enough',
        confirmPassword: 'p'.repeat(301),
        acceptedTerms: true,
      }),
    ).toEqual(['Password and Confirm Password must be 300 characters or less.', 'Passwords do not match.']);
  });

  it('asks for the tax id of the chosen kind only [INFO-6]', () => {
    const form = {
      firstName: 'A',
      lastName: 'B',
      dateOfBirth: '1990-01-01',
      phoneNumber: '718 555',
      organizationName: 'C',
      organizationBio: 'D',
      organizationType: 'company',
      individualTIN: '',
      companyTIN: '12-3456789',
    };

    expect(sentences(accountInfoForm, form)).toEqual([]);
    expect(sentences(accountInfoForm, { ...form, organizationType: 'individual' })).toEqual([
      'SSN/ITIN must be 9 digits',
    ]);
    expect(sentences(accountInfoForm, { ...form, organizationType: '', phoneNumber: 'call me' })).toEqual([
      'Phone number can only contain numbers and valid symbols (+, -, (), space)',
      'Please choose a tax ID type',
    ]);
  });

  it.each(['a@b', 'a b@c.de', '"a"@b.de', 'ä@b.de', 'a@b.de\n', 'a@b.de, c@d.de', '@b.de', 'a@-b.de'])(
    'does not take "%s" for an address',
    (email) => {
      const form = { email, password: 'long enough', confirmPassword: 'long enough', acceptedTerms: true };

      // A line break at the end is white space, which is taken off before judging.
      const isTrimmed = email.trim() !== email;
      expect(sentences(registerForm, form)).toEqual(isTrimmed ? [] : ['Email must be a valid email address.']);
    },
  );

  it('knows the age of eighteen [INFO-3]', () => {
    const today = new Date('2026-11-21T12:00:00Z');

    expect(ageProblem('2008-11-21', today)).toBeNull();
    expect(ageProblem('2008-11-22', today)).toBe('You must be at least 18 years old');
    expect(ageProblem('2008-02-30', today)).toBe('Date of birth is not a real date');
  });
});
