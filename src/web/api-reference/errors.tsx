import type { Operation } from '#contract/v1/description.ts';
import styles from './ApiReferenceScreen.module.css';

export interface ErrorAnswer {
  status: string;
  code: string;
}

/** Each once, by status. */
export function errorsOf(calls: readonly Pick<Operation, 'responses'>[]): ErrorAnswer[] {
  const answers = calls.flatMap(({ responses }) =>
    Object.entries(responses)
      .filter(([status]) => status !== '200')
      .flatMap(([status, { description }]) =>
        [...description.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({ status, code })),
      ),
  );
  return [...new Map(answers.map((answer) => [answer.code, answer])).values()].toSorted((one, other) =>
    one.status.localeCompare(other.status),
  );
}

export function Errors({ of }: { of: readonly ErrorAnswer[] }) {
  return (
    <dl className={styles.errors}>
      {of.map(({ status, code }) => (
        <div key={code}>
          <dt>
            <code>{code}</code>
          </dt>
          <dd>{status}</dd>
        </div>
      ))}
    </dl>
  );
}
