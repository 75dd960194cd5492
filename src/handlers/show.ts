// How records are shown: the fields of the spec's tables, in its order.
import type { Comment, Member, Profile, Project, Task, Team, TeamDetail } from '../contract/resources.ts';
import type { CommentRecord, ProjectRecord, TaskRecord, TeamRecord, UserRecord } from '../world/records.ts';
import type { View } from '../world/view.ts';

/** With its owner, which the http room leaves out unless the open point `owner-field` says otherwise. */
export const showProject = ({ id, name, description, visibility, owner_id, created_at, updated_at }: ProjectRecord) => {
  const shown: Project & { owner_id: string } = { id, name, description, visibility, owner_id, created_at, updated_at };
  return shown;
};

export const showTask = (task: TaskRecord): Task => task;

export const showMember = ({ id, name, email, role }: UserRecord): Member => ({ id, name, email, role });

export const showProfile = ({ id, name, email, role, avatar_url, created_at }: UserRecord): Profile => ({
  id,
  name,
  email,
  role,
  avatar_url,
  created_at,
});

export const showTeam = ({ id, name, member_ids, created_at, updated_at }: TeamRecord): Team => ({
  id,
  name,
  member_count: member_ids.length,
  created_at,
  updated_at,
});

export const showTeamDetail = (view: View, { id, name, member_ids, created_at, updated_at }: TeamRecord): TeamDetail => ({
  id,
  name,
  members: member_ids.flatMap((member) => {
    const user = view.find('users', member)?.value;
    return user ? [{ id: user.id, name: user.name, role: user.role }] : [];
  }),
  created_at,
  updated_at,
});

export const showComment = ({ id, author_id, body, created_at }: CommentRecord): Comment => ({ id, author_id, body, created_at });
