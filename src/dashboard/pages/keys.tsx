// The API keys of a workspace: the card of the settings that makes and revokes them.
import { SCOPES } from '../../contract/scopes.ts';
import type { Context } from '../context.ts';
import { Person, Word } from '../data/cells.tsx';
import { people, short } from '../data/collection.ts';
import { Confirm, Do, Field, Form } from '../fields.tsx';
import { Card, Chip, Empty, Table, Time } from '../parts.tsx';
import { SCOPE_TONES } from './overview.tsx';

const MOST_KEYS = 100;
const NEWEST = { equal: [], by: 'created_at', descending: true, nulls: 'last' } as const;

/** Makes keys, lists the newest, revokes them. */
export const Keys = ({ context }: { context: Context }) => {
  const { world, workspace } = context;
  const list = world.store.keys.list(NEWEST, workspace.id, []);
  const form = context.form('createKey');
  const members = people(context);
  return (
    <Card
      title="API keys"
      says="A key belongs to one workspace and has one scope. Its value is shown once, when it is made; a lost key is revoked and replaced."
      flush
      id="keys"
    >
      <div class="pad">
        <Form context={context} label="New key">
          <div class="stack">
            <div class="bar">
              <Field form={form} name="name" label="Name" placeholder="What it is for" grow />
              <Field form={form} name="scope" label="Scope" options={SCOPES} value="read" />
              <Field
                form={form}
                name="user_id"
                label="Whose"
                {...(members ? { options: members } : { placeholder: 'The id of a member' })}
              />
              <Do action="createKey" kind="primary">
                New key
              </Do>
            </div>
          </div>
        </Form>
      </div>
      <div id="key-list" data-live="">
        {list.total === 0 ? (
          <Empty title="This workspace has no keys">Make one above. Without a key every request is answered 401.</Empty>
        ) : (
          <Table label="API keys" columns={['Name', 'Scope', 'Whose', 'Created', 'Last used', '']}>
            {list.rows(0, MOST_KEYS).map(({ value: key }) => {
              const used = world.lastUsed.get(key.id);
              return (
                <tr data-row={key.id} class={key.revoked ? 'gone' : undefined}>
                  <th scope="row">{short(key.name, 60)}</th>
                  <td>
                    <Word word={key.scope} tones={SCOPE_TONES} />
                  </td>
                  <td>
                    <Person id={key.user_id} context={context} />
                  </td>
                  <td class="nowrap">
                    <Time at={key.created_at} context={context} />
                  </td>
                  <td class="nowrap">
                    {used === undefined ? <span class="muted">never</span> : <Time at={used} context={context} />}
                  </td>
                  <td class="end">
                    {key.revoked ? (
                      <Chip tone="bad">revoked</Chip>
                    ) : (
                      <Confirm
                        ask={
                          <>
                            Revoke…<span class="hidden"> {short(key.name, 60)}</span>
                          </>
                        }
                        says="Requests with it get 401 from now on."
                        context={context}
                        action="revokeKey"
                        hidden={{ id: key.id }}
                        button="Revoke"
                        small
                      />
                    )}
                  </td>
                </tr>
              );
            })}
          </Table>
        )}
      </div>
      {list.total > MOST_KEYS ? (
        <p class="pager muted">
          The newest {MOST_KEYS} of {list.total}.
        </p>
      ) : null}
    </Card>
  );
};
