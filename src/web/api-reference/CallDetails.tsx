import type { FieldSchema } from '#contract/v1/description.ts';
import { referencePage as text } from '#messages/programs/api-reference.ts';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import styles from './ApiReferenceScreen.module.css';
import { Coded } from './Coded.tsx';
import { type ErrorAnswer, Errors } from './errors.tsx';
import { Fields } from './Fields.tsx';
import type { ShownCall } from './shown-call.ts';

interface Props {
  call: ShownCall;
  /** Besides those of every call. */
  errors: readonly ErrorAnswer[];
  root: string;
  schemas: Readonly<Record<string, FieldSchema>>;
}

const JSON_TYPE = 'application/json';

export function CallDetails({ call, errors, root, schemas }: Props) {
  const { operationId, method, path, summary, responses, parameters, requestBody } = call;
  const body = requestBody?.content[JSON_TYPE]?.schema;
  return (
    <section className={styles.call} aria-labelledby={operationId}>
      <h2 id={operationId}>
        <Coded text={summary} />
      </h2>
      <p className={styles.address}>
        <span className={styles.method}>{method}</span> <code>{`${new URL(root).pathname}${path}`}</code>
      </p>
      <p>
        {call['x-scope'] ? (
          <>
            {text.scope} <code>{call['x-scope']}</code>.
          </>
        ) : (
          text.anyScope
        )}
      </p>
      <h3>{text.example}</h3>
      <div className={styles.example}>
        <pre tabIndex={0}>
          <code>{call['x-curl']}</code>
        </pre>
        <CopyButton text={call['x-curl']} label={text.copyExample(operationId)} />
      </div>
      {(parameters.length > 0 || body) && (
        <>
          <h3>{text.sends}</h3>
          <Fields
            of={{
              properties: {
                ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
                ...body?.properties,
              },
            }}
            required={
              new Set([
                ...parameters.filter(({ required }) => required).map(({ name }) => name),
                ...(body?.required ?? []),
              ])
            }
            schemas={schemas}
          />
        </>
      )}
      <h3>{text.answers}</h3>
      <Fields of={responses['200']?.content[JSON_TYPE]?.schema} schemas={schemas} />
      {errors.length > 0 && (
        <>
          <h3>{text.errors}</h3>
          <Errors of={errors} />
        </>
      )}
    </section>
  );
}
