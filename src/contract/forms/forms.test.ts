import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { registerForm } from '#contract/app/accounts.ts';
import { formText, problemOf } from '#messages/forms.ts';
import { accountInfoForm, identityProblems } from './account-info.ts';
import { eventForm } from './event-form.ts';

function messages(schema: { safeParse(value: unknown): { error?: { issues: z.core.$ZodIssue[] } } }, value: unknown) {
  return schema.safeParse(value).error?.issues.map((issue) => formText(problemOf(issue))) ?? [];
}

describe('a form with several mistakes', () => {
  it('reports each one, in the order of the fields [NAV-7]', () => {
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

    expect(messages(eventForm, form)).toEqual([
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
      'Ticket 1 quantity must be a whole number from 1 to 100,000',
      'Latitude must be a number between -90 and 90',
      'Longitude must be a number between -180 and 180',
    ]);
  });

  it('counts an emoji as one character, in every field alike [EVT-7]', () => {
    const ticket = { ticketDescription: 'Standing', ticketPrice: '10', ticketQuantity: '5' };
    const named = (count: number) => ({
      title: '🎺'.repeat(count),
      tickets: [{ ...ticket, ticketName: '🎺'.repeat(count) }],
    });
    const lengths = (count: number) =>
      messages(eventForm, named(count)).filter((message) => message.includes('characters'));

    expect(lengths(50)).toEqual([]);
    expect(lengths(51)).toEqual(['Title must be 50 characters or less', 'Ticket 1 name must be 50 characters or less']);
    const password = '🎺'.repeat(300);
    const form = { email: 'a@b.co', password, confirmPassword: password, acceptedTerms: true };
    expect(messages(registerForm, form)).toEqual([]);
    expect(messages(registerForm, { ...form, confirmPassword: `${password}🎺` })).toEqual([
      'Password and Confirm Password must be 300 characters or less.',
      'Passwords do not match.',
    ]);
    expect(messages(registerForm, { ...form, confirmPassword: '🎺'.repeat(200) })).toEqual(['Passwords do not match.']);
  });

  it('reports every problem at registration [REG-4 REG-5 REG-6 REG-7]', () => {
    const form = {
      email: `${'a'.repeat(300)}@b.co`,
      password: 'p'.repeat(301),
      confirmPassword: 'q',
      acceptedTerms: false,
    };

    expect(messages(registerForm, form)).toEqual([
      'Email must be 300 characters or less.',
      'Password and Confirm Password must be 300 characters or less.',
      'Please accept the terms and conditions.',
      'Passwords do not match.',
    ]);
    expect(
      messages(registerForm, {
        ...form,
        email: 'a@b.co',
        password: 'long enough',
        confirmPassword: 'p'.repeat(301),
        acceptedTerms: true,
      }),
    ).toEqual(['Password and Confirm Password must be 300 characters or less.', 'Passwords do not match.']);
  });

  it('requires a tax ID type [INFO-6]', () => {
    const form = {
      firstName: 'A',
      lastName: 'B',
      phoneNumber: 'call me',
      organizationName: 'C',
      organizationBio: 'D',
      organizationType: '',
    };

    expect(messages(accountInfoForm, form)).toEqual([
      'Phone number can only contain numbers and valid symbols (+, -, (), space)',
      'Please choose a tax ID type',
    ]);
  });

  it.each(['a@b', 'a b@c.de', '"a"@b.de', 'ä@b.de', 'a@b.de\n', 'a@b.de, c@d.de', '@b.de', 'a@-b.de'])(
    'rejects "%s" as an address',
    (email) => {
      const form = { email, password: 'long enough', confirmPassword: 'long enough', acceptedTerms: true };

      // A line break at the end is white space, which is trimmed before validation.
      const isTrimmed = email.trim() !== email;
      expect(messages(registerForm, form)).toEqual(isTrimmed ? [] : ['Email must be a valid email address.']);
    },
  );

  it('requires an age of 18 [INFO-3]', () => {
    const today = new Date('2026-11-21T12:00:00Z');
    const problems = (dateOfBirth: string) => identityProblems({ dateOfBirth }, null, today).map(formText);

    expect(problems('2008-11-21')).toEqual([]);
    expect(problems('2008-11-22')).toEqual(['You must be at least 18 years old']);
    expect(problems('2008-02-30')).toEqual(["Date of birth isn't a valid date"]);
  });
});
