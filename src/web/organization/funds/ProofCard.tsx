import { useState } from 'react';
import { Link } from 'react-router';
import { type OrganizationFunds, publicFunds } from '#contract/app/records/funds.ts';
import { isPartOfTotal, proofLines } from '#domain/payouts/sum-tree.ts';
import { formatCents } from '#messages/format.ts';
import { proofCard as text } from '#messages/records/funds.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import shared from '../security.module.css';
import styles from './funds.module.css';

type Proof = NonNullable<OrganizationFunds['proof']>;

/** Of the newest signed total. */
export function ProofCard({ day, proof }: { day: string; proof: Proof | null }) {
  return (
    <section className={shared.card} aria-labelledby="proof-title">
      <h2 id="proof-title">{text.title}</h2>
      {proof ? <Check proof={proof} /> : <p className={shared.why}>{text.nothing(longDay(day))}</p>}
    </section>
  );
}

/** Verifies in the browser, against the total that everyone sees. */
function Check({ proof }: { proof: Proof }) {
  const [result, setResult] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const amounts = { amount: formatCents(proof.cents), total: formatCents(proof.totalCents) };

  async function check() {
    setIsBusy(true);
    try {
      setResult((await isPublished(proof)) ? text.matches(amounts) : text.mismatch);
    } catch {
      setResult(text.failed);
    }
    setIsBusy(false);
  }

  return (
    <>
      <p className={shared.why}>{text.why({ day: longDay(proof.day), ...amounts })}</p>
      <p className={shared.why}>{text.organization(proof.organizationId)}</p>
      <div className={styles.actions}>
        <Button busy={isBusy} onClick={check}>
          {text.check}
        </Button>
        <a href={fileOf(proof)} download={`proof-${proof.day}.txt`}>
          {text.download}
        </a>
        <Link to="/trust">{text.published}</Link>
      </div>
      <p role="status">{result}</p>
    </>
  );
}

const longDay = (day: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

async function isPublished(proof: Proof): Promise<boolean> {
  const { snapshots } = await call(publicFunds, {});
  const isSame = snapshots.some(
    ({ day, root, totalCents }) => day === proof.day && root === proof.root && totalCents === proof.totalCents,
  );
  return isSame && (await isPartOfTotal(proof, sha256));
}

async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const fileOf = (proof: Proof) =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(
    `${[...proofLines(proof), `signature ${proof.signature} ${proof.publicKey}`].join('\n')}\n`,
  )}`;
