/**
 * Passes for Apple Wallet: a ZIP file whose manifest is signed with the operator's certificate for passes. With the same
 * certificate, phones are made to ask for a pass again.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressLine, longDate } from '#messages/format.ts';
import { ticketFile as text } from '#messages/sales/ticket-files.ts';
import type { AppleWallet, PassUpdates, WalletTicket } from '#server/platform/ports/wallets.ts';
import { APNS, notifyPhones, type PushService } from './apple-push.ts';

const INK = 'rgb(21, 23, 43)';
const PAPER = 'rgb(250, 247, 240)';
const GOLD = 'rgb(255, 194, 60)';

/**
 * @param pem the certificate for passes, its key without a passphrase, and Apple's certificate that issued it
 * @param service for tests. It never comes from user input
 */
export async function appleWallet(pem: string, service: PushService = APNS): Promise<AppleWallet> {
  const { identifiers, ...certificates } = readKeys(pem);
  const images = await readImages();
  return {
    passType: identifiers.passTypeIdentifier,

    notify: (pushTokens) =>
      notifyPhones(service, {
        topic: identifiers.passTypeIdentifier,
        key: certificates.signerKey,
        cert: certificates.signerCert + certificates.wwdr,
        pushTokens,
      }),

    async pass(ticket, picture, updates) {
      // Loaded with the first pass: most installations sign none.
      const { PassType, PKPass } = await import('passkit-generator');
      const files = { ...images, 'thumbnail@2x.png': picture };
      const pass = new PKPass(files, certificates, {
        formatVersion: 1,
        ...identifiers,
        serialNumber: ticket.id,
        organizationName: text.issuer(ticket.seller),
        description: text.description(ticket.title),
        logoText: text.issuer(ticket.seller),
        backgroundColor: INK,
        foregroundColor: PAPER,
        labelColor: GOLD,
        groupingIdentifier: ticket.eventId,
        ...(updates && { webServiceURL: updates.url, authenticationToken: updates.token }),
        ...(ticket.voided && { voided: true }),
      });
      const type = new PassType('eventTicket');
      addFields(type, ticket, updates);
      pass.types.push(type);
      pass.setRelevantDates(ticket.voided ? [] : [{ relevantDate: ticket.startsAt }]);
      // Without a code, a pass that doesn't admit isn't held out to a scanner.
      if (ticket.confirmationNumber && !ticket.voided)
        pass.setBarcodes({
          format: 'PKBarcodeFormatQR',
          message: ticket.confirmationNumber,
          messageEncoding: 'iso-8859-1',
          altText: ticket.confirmationNumber,
        });
      return pass.getAsBuffer();
    },
  };
}

type Fields = Record<
  'headerFields' | 'primaryFields' | 'secondaryFields' | 'auxiliaryFields' | 'backFields',
  { push(field: Field): number }
>;

interface Field {
  key: string;
  label: string;
  value: string;
  /** Shown on a locked phone when the value changes. */
  changeMessage?: string;
}

/** Dates are texts, so that every phone shows those of the event's time zone. */
function addFields(pass: Fields, ticket: WalletTicket, updates: PassUpdates | null): void {
  const { confirmationNumber: number, voided, doorsAt, timezone } = ticket;
  const when = longDate(ticket.startsAt, timezone);
  if (voided) pass.headerFields.push({ key: 'state', label: text.status, value: text.voided[voided] });
  pass.primaryFields.push({ key: 'event', label: text.event, value: ticket.title });
  pass.secondaryFields.push({ key: 'when', label: text.when, value: when, changeMessage: text.changed.when });
  pass.auxiliaryFields.push({ key: 'type', label: ticket.position, value: ticket.ticketName });
  pass.auxiliaryFields.push({
    key: 'where',
    label: text.where,
    value: ticket.venueName ?? ticket.street,
    changeMessage: text.changed.where,
  });
  pass.backFields.push({
    key: 'status',
    label: text.status,
    value: voided ? text.whyVoided[voided] : text.valid,
    changeMessage: text.changed.status,
  });
  pass.backFields.push({
    key: 'until',
    label: text.when,
    value: `${when}. ${text.until(longDate(ticket.endsAt, timezone))}`,
  });
  if (doorsAt)
    pass.backFields.push({
      key: 'doors',
      label: text.doorsLabel,
      value: text.doors(longDate(doorsAt, timezone)),
      changeMessage: text.changed.doors,
    });
  pass.backFields.push({ key: 'address', label: text.where, value: addressLine(ticket) });
  if (number) pass.backFields.push({ key: 'number', label: text.confirmationNumber, value: number });
  const state = updates ? text.followedState : text.savedState;
  pass.backFields.push({ key: 'event-page', label: text.eventPage, value: `${ticket.eventUrl}\n${state}` });
}

function readKeys(pem: string) {
  const [key] = blocksOf(pem, '(?:RSA )?PRIVATE KEY');
  const certificates = blocksOf(pem, 'CERTIFICATE').map((block) => new X509Certificate(block));
  const privateKey = key === undefined ? null : createPrivateKey(key);
  const signer = certificates.find((one) => privateKey && one.checkPrivateKey(privateKey));
  const issuer = certificates.find((one) => one !== signer && signer?.checkIssued(one));
  const passTypeIdentifier = partOf(signer, 'UID');
  const teamIdentifier = partOf(signer, 'OU');
  if (key === undefined || !signer || !issuer || !passTypeIdentifier || !teamIdentifier)
    throw new Error('a key, its certificate or the issuer of the certificate is missing');
  return {
    identifiers: { passTypeIdentifier, teamIdentifier },
    signerKey: key,
    signerCert: signer.toString(),
    wwdr: issuer.toString(),
  };
}

const blocksOf = (pem: string, kind: string): string[] =>
  pem.match(new RegExp(`-----BEGIN ${kind}-----[\\s\\S]+?-----END ${kind}-----`, 'g')) ?? [];

/** Of the subject: the identifier of the passes, and that of the operator's team at Apple. */
const partOf = (certificate: X509Certificate | undefined, name: 'UID' | 'OU'): string | undefined =>
  new RegExp(`^${name}=(.+)$`, 'm').exec(certificate?.subject ?? '')?.[1];

async function readImages(): Promise<Record<string, Buffer>> {
  const sizes = ['icon.png', 'icon@2x.png', 'icon@3x.png'];
  const icons = await Promise.all(sizes.map((name) => readFile(join(import.meta.dirname, name))));
  const images = Object.fromEntries(sizes.map((name, index) => [name, icons[index] ?? Buffer.alloc(0)]));
  return { ...images, 'logo@2x.png': images['icon@3x.png'] ?? Buffer.alloc(0) };
}
