/** The reference of the public API, drawn from its description. */
import { useCallback, useEffect, useState } from 'react';
import type { ReplyOf } from '#contract/endpoint.ts';
import { apiDescription } from '#contract/v1/description.ts';
import { referencePage as text } from '#messages/programs/api-reference.ts';
import { call } from '#web/api.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import styles from './ApiReferenceScreen.module.css';
import { CallDetails } from './CallDetails.tsx';
import { Coded } from './Coded.tsx';
import { Errors, errorsOf } from './errors.tsx';
import { Fields } from './Fields.tsx';
import type { ShownCall } from './shown-call.ts';

type Description = ReplyOf<typeof apiDescription>;

export function ApiReferenceScreen() {
  const { description, failure, reload } = useDescription();
  return (
    <Page title={text.title} lead={description?.info.summary ?? ''} width="wide">
      {failure && <NotLoaded {...failure} onRetry={reload} />}
      {description && <Reference {...description} />}
    </Page>
  );
}

function Reference({ info, servers, tags, paths, components, 'x-scopes': scopes }: Description) {
  const [search, setSearch] = useState('');
  const root = servers[0]?.url ?? '';
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): ShownCall => ({ ...operation, method: method.toUpperCase(), path }),
    ),
  );
  const common = errorsOf(calls).filter(({ code }) =>
    calls.every((one) => errorsOf([one]).some((own) => own.code === code)),
  );
  const found = calls.filter((one) => matches(one, search));
  return (
    <div className={styles.reference}>
      <nav className={styles.contents} aria-label={text.calls}>
        <label htmlFor="call-search">{text.search}</label>
        <input
          id="call-search"
          type="search"
          autoComplete="off"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <p role="status">{found.length === 0 && text.noneFound}</p>
        {tags.map(({ name }) => (
          <CallLinks key={name} tag={name} calls={found.filter((one) => one.tags.includes(name))} />
        ))}
      </nav>
      <div className={styles.body}>
        <section className={styles.introduction}>
          {info.description.split('\n\n').map((paragraph) => (
            <p key={paragraph}>
              <Coded text={paragraph} />
            </p>
          ))}
          <p>
            <a href={apiDescription.path} download>
              {text.document}
            </a>
          </p>
          <h2>{text.scopes}</h2>
          <dl className={styles.scopes}>
            {Object.entries(scopes).map(([scope, meaning]) => (
              <div key={scope}>
                <dt>
                  <code>{scope}</code>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
          <h2>{text.errorShape}</h2>
          <Fields of={components.schemas['Error']} schemas={components.schemas} />
          <h2>{text.commonErrors}</h2>
          <Errors of={common} />
        </section>
        {found.map((one) => (
          <CallDetails
            key={one.operationId}
            call={one}
            errors={errorsOf([one]).filter(({ code }) => !common.some((other) => other.code === code))}
            root={root}
            schemas={components.schemas}
          />
        ))}
      </div>
    </div>
  );
}

function CallLinks({ tag, calls }: { tag: string; calls: readonly ShownCall[] }) {
  if (calls.length === 0) return null;
  return (
    <>
      <p className={styles.tag} id={`tag-${tag}`}>
        {text.tag(tag)}
      </p>
      <ul aria-labelledby={`tag-${tag}`}>
        {calls.map(({ operationId, method, path }) => (
          <li key={operationId}>
            <a href={`#${operationId}`}>
              <span className={styles.method}>{method}</span> {path}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Every word must appear in the call's address, its name or what it does. */
function matches({ method, path, operationId, summary }: ShownCall, search: string): boolean {
  const said = `${method} ${path} ${operationId} ${summary}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

function useDescription() {
  const [description, setDescription] = useState<Description | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const reload = useCallback(async () => {
    try {
      setDescription(await call(apiDescription, {}));
      setFailure(null);
    } catch (error) {
      setFailure(failureFrom(error, text.notLoaded));
    }
  }, []);
  useEffect(() => void reload(), [reload]);
  return { description, failure, reload };
}

export { ApiReferenceScreen as Component };
