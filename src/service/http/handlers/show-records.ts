// How records are shown: the fields that responses have, in the order of the spec's tables.
import { COMPONENTS, RESOURCES } from '../../contract/resources.ts';
import type { Is } from '../../contract/schema.ts';
import type { RecordName, Records } from '../../world/records.ts';
import type { View } from '../../world/view.ts';

type ShownFields = Readonly<Record<string, unknown>>;
type DerivedFields<T, R> = { readonly [F in Exclude<keyof T, keyof R>]: (record: R) => T[F] };

/** Makes what shows the fields of a component; what no record holds is made of the record. */
const createShow = <N extends RecordName, C extends keyof typeof COMPONENTS>(
  name: N,
  component: C,
  made: DerivedFields<Is<(typeof COMPONENTS)[C]>, Records[N]>,
) => {
  type T = Is<(typeof COMPONENTS)[C]>;
  const { properties } = COMPONENTS[component];
  const table = Object.entries(RESOURCES[name]);
  const shown = table.filter(
    ([field, about]) => Object.hasOwn(properties as ShownFields, field) || about.shown === 'owner-field',
  );
  if (shown.length === table.length) return (record: Records[N]) => record as T;
  const parts = shown.map(([field]) => [field, (made as Record<string, (record: Records[N]) => unknown>)[field]] as const);
  return (record: Records[N]) =>
    Object.fromEntries(parts.map(([field, make]) => [field, make ? make(record) : (record as ShownFields)[field]])) as T;
};

/** With its owner, which the http room leaves out unless the open point `owner-field` says otherwise. */
export const showProject = createShow('projects', 'Project', {});
export const showTask = createShow('tasks', 'Task', {});
export const showMember = createShow('users', 'Member', {});
export const showProfile = createShow('users', 'Profile', {});
const showTeamMember = createShow('users', 'TeamMember', {});
export const showTeam = createShow('teams', 'Team', { member_count: ({ member_ids }) => member_ids.length });
export const showTeamDetail = (view: View) =>
  createShow('teams', 'TeamDetail', {
    members: ({ member_ids }) =>
      member_ids.flatMap((id) => {
        const user = view.find('users', id)?.value;
        return user ? [showTeamMember(user)] : [];
      }),
  });
export const showComment = createShow('comments', 'Comment', {});
export const showWebhook = createShow('webhooks', 'Webhook', {});
