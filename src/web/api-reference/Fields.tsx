import type { FieldSchema } from '#contract/v1/description.ts';
import { referencePage as text } from '#messages/programs/api-reference.ts';
import styles from './ApiReferenceScreen.module.css';
import { Coded } from './Coded.tsx';

interface Props {
  /** Undefined if there are none. */
  of: FieldSchema | undefined;
  /** Of fields to send. */
  required?: ReadonlySet<string>;
  schemas: Readonly<Record<string, FieldSchema>>;
}

/** The fields of an object, those of objects in it as well. */
export function Fields({ of, required, schemas }: Props) {
  const { properties = {} } = of ? resolved(of, schemas) : {};
  return (
    <dl className={styles.fields}>
      {Object.entries(properties).map(([name, schema]) => {
        const { type, inner } = shown(schema, schemas);
        return (
          <div key={name}>
            <dt>
              <code>{name}</code>
              <span>
                {type}
                {required && `, ${required.has(name) ? text.isRequired : text.isOptional}`}
              </span>
            </dt>
            <dd>
              {schema.description && <Coded text={schema.description} />}
              {inner?.properties && (
                <Fields of={inner} schemas={schemas} {...(required && { required: new Set(inner.required) })} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const resolved = (schema: FieldSchema, schemas: Props['schemas']): FieldSchema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

interface Shown {
  type: string;
  inner?: FieldSchema;
}

function shown(field: FieldSchema, schemas: Props['schemas']): Shown {
  const schema = resolved(field, schemas);
  const { anyOf, items, format, type } = schema;
  if (schema.enum) return { type: schema.enum.join(' | ') };
  if (anyOf) return eitherOf(anyOf, schemas);
  if (items) {
    const { type: one, inner } = shown(items, schemas);
    return { type: text.listOf(one), ...(inner && { inner }) };
  }
  if (schema.properties) return { type: 'object', inner: schema };
  return { type: format ?? (typeof type === 'string' ? type : (type ?? []).join(' | ')) };
}

function eitherOf(all: readonly FieldSchema[], schemas: Props['schemas']): Shown {
  const others = all.filter(({ type }) => type !== 'null').map((one) => shown(one, schemas));
  const type = others.map((one) => one.type).join(' | ');
  const inner = others.find((one) => one.inner)?.inner;
  return { type: others.length < all.length ? `${type} ${text.orNull}` : type, ...(inner && { inner }) };
}
